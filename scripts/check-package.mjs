// Checks the published package: packs it, installs it without development dependencies, and uses its command, page,
// client and types.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './run.mjs';

const LIMIT_MS = 120_000;

const USE = `
import { connect } from 'exec-console/client';
const server = await connect({ spawn: 'gateway' });
const child = await server.start({ argv: ['tr', 'a-z', 'A-Z'], cwd: '/', env: process.env, pipeStdin: true });
const { stdout, exitCode } = await child.communicate(new TextEncoder().encode('hello'));
server.close();
process.stdout.write(new TextDecoder().decode(stdout) + exitCode);
`;

const TYPED = `
import { connect, type ProcessEvent } from 'exec-console/client';
const server = await connect({ url: 'ws://127.0.0.1:1', token: 'x' });
const child = await server.start({ argv: ['true'], cwd: '/' });
for await (const event of child.events()) {
  const given: ProcessEvent = event;
  if (given.kind === 'exited') given.exitCode.toFixed();
}
// @ts-expect-error a URL is needed, or something to spawn
await connect({});
`;

/** Resolves to true when the package works; otherwise prints the failure and resolves to false. */
export async function checkPackage() {
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-package-'));
  try {
    await tryAll(folder);
    return true;
  } catch (error) {
    console.error(error.message);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryAll(folder) {
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const [{ filename }] = JSON.parse(await run(ROOT, 'npm', ['pack', '--json', '--pack-destination', folder]));
  await run(folder, 'npm', ['install', '--omit=dev', '--no-audit', '--no-fund', `./${filename}`]);
  const env = { ...process.env, XDG_STATE_HOME: home };
  const command = join(folder, 'node_modules/.bin/exec-console');
  const exec = (...args) => run(folder, command, args, env);

  const gateway = spawn(command, ['--port', '0'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface(gateway.stdout)[Symbol.asyncIterator]();
    await lines.next();
    const { value: link } = await lines.next();
    expect((await (await fetch(link)).text()).includes('<div id="root">'), 'the page is served');
    expect((await exec('run', '--label', 'greeting', '--', 'echo', 'hello')) === 'hello\n', 'run');
    const [listed] = JSON.parse(await exec('ps', '--all', '--json'));
    expect(listed.label === 'greeting', 'ps');
    expect((await exec('logs', listed.key)) === 'hello\n', 'logs');
    expect((await exec('link')).includes('#code='), 'link');
  } finally {
    gateway.kill();
    await new Promise((resolve) => gateway.once('close', resolve));
  }

  const notices = readFileSync(
    join(folder, 'node_modules/exec-console/dist/web/THIRD-PARTY-NOTICES.md'),
    'utf8',
  );
  expect(/^## react .*\(MIT\)\n\nMIT License/m.test(notices), 'the list of licences');

  writeFileSync(join(folder, 'use.js'), USE);
  expect((await run(folder, process.execPath, ['use.js'], env)) === 'HELLO0', 'the client');
  writeFileSync(join(folder, 'typed.ts'), TYPED);
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const flags = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--types', ''];
  await run(folder, tsc, [...flags, 'typed.ts']);
}

function expect(holds, what) {
  if (!holds) throw new Error(`the packed package: ${what} does not work`);
}

/** Resolves with stdout; rejects if the command fails or times out. */
function run(cwd, command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], timeout: LIMIT_MS });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(' ')}: ${signal ?? `exit code ${code}`}\n${output}`));
    });
  });
}
