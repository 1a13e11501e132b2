// Tests of the built command as people and scripts run it, in a separate folder, under plain Node.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findLocalGateway } from './policy/local-gateway.ts';
import { buildProduct } from './testing/built-product.ts';
import { noKeeperLeft } from './testing/left-keeper.ts';
import { stdioWire } from './testing/stdio-wire.ts';
import { PATH, specOf, startChild, TERMINAL } from './testing/test-child.ts';
import { TestClient } from './testing/test-client.ts';
import { WireClient } from './testing/wire-client.ts';

let product: string;
let state: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  product = await buildProduct();
});
afterAll(() => rmSync(product, { recursive: true }));

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'exec-console-state-'));
});
afterEach(async () => {
  await Promise.all(children.splice(0).map(ended));
  await noKeeperLeft(join(state, 'exec-console'));
  rmSync(state, { recursive: true });
});

/** Ends a gateway, and with it its keeper. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

function command(...args: string[]) {
  const child = spawn(process.execPath, [join(product, 'dist/server/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_STATE_HOME: state },
  });
  children.push(child);
  return child;
}

async function outcome(...args: string[]) {
  const child = command(...args);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code: code as number | null };
}

async function running(...args: string[]) {
  const child = command(...args);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => String((await lines.next()).value);
  return { child, url: await line(), link: await line(), exit: once(child, 'exit') };
}

describe('At its start, the gateway', () => {
  it('[PR7] passes no inherited descriptor to children, whatever its number', async () => {
    const secret = join(state, 'secret');
    writeFileSync(secret, 'not for children');
    const script = 'exec 17<"$1" 60<"$1"; shift; exec "$@"';
    const main = join(product, 'dist/server/main.js');
    const gateway = spawn('/bin/bash', [
      '-c',
      script,
      'bash',
      secret,
      process.execPath,
      main,
      '--listen',
      'stdio://',
      '--state-dir',
      state,
    ]);
    children.push(gateway);
    const client = new WireClient(stdioWire(gateway));
    await client.initialize();
    for (const tty of [true, false]) {
      const script = 'for fd in 17 60; do cat <&$fd; done 2>/dev/null';
      const { processId } = await client.start(['/bin/bash', '-c', script], { tty });
      await client.waitEvent(processId, 'process/closed');
      expect(client.output(processId).toString()).toBe('');
    }
  });

  it('is an executable file, which npx runs in a clone', () => {
    const main = join(product, 'dist/server/main.js');
    expect(execFileSync(main, ['--version'], { encoding: 'utf8' })).toBe('1.2.3\n');
  });

  it('closes no descriptor of its own runtime', async () => {
    const profile = join(state, 'profile.log');
    const main = join(product, 'dist/server/main.js');
    const flags = ['--listen', 'stdio://', '--state-dir', state];
    const gateway = spawn(process.execPath, [
      '--prof',
      '--no-logfile-per-isolate',
      `--logfile=${profile}`,
      main,
      ...flags,
    ]);
    children.push(gateway);
    await new WireClient(stdioWire(gateway)).initialize();
    const descriptors = `/proc/${gateway.pid}/fd`;
    const open = readdirSync(descriptors).map((fd) => readlinkSync(join(descriptors, fd)));
    expect(open).toContain(profile);
  });

  it('prints the address and the link, and announces itself in a file until it stops', async () => {
    const { child, url, link, exit } = await running('--listen', 'ws://127.0.0.1:0');
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
    expect(link).toMatch(new RegExp(`^${url.replace('ws', 'http')}/#code=[\\w-]{32}$`));
    const file = join(state, 'exec-console/gateway.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      url,
      pid: child.pid,
      fingerprint: null,
      announcedAtMs: expect.any(Number),
      born: expect.stringMatching(/^[\da-f-]{36} \d+$/),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await fetch(`${url.replace('ws', 'http')}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(existsSync(file)).toBe(false);
  });

  it('explains the two lines on stderr with --banner', async () => {
    const child = command('--listen', 'ws://127.0.0.1:0', '--banner');
    const [[stdout], [stderr]] = await Promise.all([once(child.stdout, 'data'), once(child.stderr, 'data')]);
    const [url, link] = String(stdout).split('\n');
    expect(String(stderr)).toContain(`Open the page     ${link}`);
    const agentUrl = /CODEX_EXEC_SERVER_URL='(\S+)' codex/.exec(String(stderr))?.[1] ?? '';
    expect(agentUrl).toContain(`${url}/?token=`);
    const agent = await TestClient.open(agentUrl);
    await expect(agent.initialize()).resolves.toMatchObject({ console: { role: 'agent' } });
  });

  it('accepts the token of --ws-token-file', async () => {
    const path = join(state, 'token');
    const { url } = await running('--listen', 'ws://127.0.0.1:0', '--ws-token-file', path);
    const client = await TestClient.open(url, { token: readFileSync(path, 'utf8').trim() });
    await expect(client.initialize()).resolves.toMatchObject({ console: { role: 'operator' } });
  });
});

describe('A gateway that cannot start', () => {
  it.each([
    ['a wrong flag', ['--colour'], 'the gateway has no flag --colour'],
    ['a wrong value', ['--port', 'x'], 'expected a port'],
    ['an open address', ['--host', '0.0.0.0'], 'so it needs TLS'],
  ])('because of %s reports what was expected and exits with 2', async (_, args, message) => {
    const { stdout, stderr, code } = await outcome(...args);
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('because of a port in use reports that and exits with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { stderr, code } = await outcome('--port', String(port), '--keeper', 'off');
    expect(stderr).toContain(`cannot listen on 127.0.0.1:${port}: the port is in use`);
    expect(code).toBe(1);
    other.close();
  });

  it('because of a missing page reports how to build it and exits with 1', async () => {
    const page = join(product, 'dist/web/index.html');
    rmSync(page);
    const { stderr, code } = await outcome('--port', '0', '--keeper', 'off').finally(() =>
      writeFileSync(page, '<!doctype html>'),
    );
    expect(stderr).toContain('npm run build');
    expect(code).toBe(1);
  });

  it('because of an open state folder reports that and exits with 1', async () => {
    const open = join(state, 'open');
    mkdirSync(open, { mode: 0o755 });
    const { stderr, code } = await outcome('--port', '0', '--state-dir', open);
    expect(stderr).toContain(`chmod 700 ${open}`);
    expect(code).toBe(1);
  });
});

it('--help and --version print their text and do nothing else', async () => {
  expect(await outcome('--version')).toEqual({ stdout: '1.2.3\n', stderr: '', code: 0 });
  const help = await outcome('--help');
  expect(help.stdout).toContain('--listen ws://IP:PORT');
  expect([help.stderr, help.code]).toEqual(['', 0]);
  expect(existsSync(join(state, 'exec-console'))).toBe(false);
});

it.each([
  ['thrown', 'throw error'],
  ['rejected', 'void Promise.reject(error)'],
])('[LG3][LG5] an uncaught defect that was %s is logged, and ends the gateway', async (_, happens) => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const defect = join(state, 'defect.cjs');
  writeFileSync(
    defect,
    `process.on('SIGUSR2', () => { const error = new Error('broken ${secret}'); ${happens}; });`,
  );
  const argv = ['--require', defect, join(product, 'dist/server/main.js'), '--port', '0', '--keeper', 'off'];
  const child = spawn(process.execPath, [...argv, '--log-format', 'json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_STATE_HOME: state },
  });
  children.push(child);
  const logged = text(child.stderr);
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGUSR2');
  expect(await exit).toEqual([1, null]);
  const lines = (await logged).trimEnd().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line)).at(-1)).toMatchObject({
    event: 'defect',
    stack: expect.stringContaining('broken'),
  });
  expect(lines.join()).not.toContain(secret.slice(4));
});

describe('A stopped or unread gateway', () => {
  /** Starts a gateway with a process that does not end by itself; `script` must print a line when it is ready. */
  async function busy(script: string) {
    const token = join(state, 'token');
    // SIGHUP with a keeper would replace the gateway, and not end its processes.
    const gateway = await running('--port', '0', '--keeper', 'off', '--ws-token-file', token);
    const client = await TestClient.open(gateway.url, { token: readFileSync(token, 'utf8').trim() });
    await client.initialize();
    const { processId } = await client.start(['/bin/sh', '-c', script]);
    await client.waitOutput(processId, '\n');
    return { ...gateway, pid: Number(client.output(processId).toString()) };
  }
  const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends its processes on %s and exits with 0',
    async (signal) => {
      const { child, exit, pid } = await busy('echo $$; exec sleep 1000');
      expect(isAlive(pid)).toBe(true);
      child.kill(signal);
      // A second signal follows, since npm forwards a Ctrl-C that the terminal has already sent.
      child.kill(signal);
      expect(await exit).toEqual([0, null]);
      expect(isAlive(pid)).toBe(false);
    },
  );

  it('exits at once when it gets the signal repeatedly', async () => {
    const { child, exit, pid } = await busy("trap '' TERM HUP; echo $$; while :; do sleep 1; done");
    const impatience = setInterval(() => child.kill('SIGINT'), 100);
    expect(await exit).toEqual([1, null]);
    clearInterval(impatience);
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });

  it('[LG4] is not blocked by a slow reader of its log, and notes there how many lines are missing', async () => {
    // The exit of a short process in a keeper arrives together with the answer to its start.
    const { child, url } = await running('--port', '0', '--keeper', 'on', '--log-format', 'json');
    const token = findLocalGateway(join(state, 'exec-console'))?.token ?? '';
    const client = await TestClient.open(url, { token });
    await client.initialize();
    // The lines exceed the capacity of a pipe and of the gateway's own queue.
    const long = Array.from({ length: 7 }, () => 'x'.repeat(1000));
    for (let count = 0; count < 250; count += 1) {
      const { key } = await client.start(['/bin/true', ...long]);
      await client.request('process/wait', { key, waitMs: 10_000 });
    }
    const events: string[] = [];
    let missing = 0;
    const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    while (missing === 0) {
      const line = JSON.parse(String((await lines.next()).value)) as { event: string; count?: number };
      events.push(line.event);
      if (line.event === 'linesMissing') missing = line.count ?? 0;
    }
    expect(events.slice(0, 5)).toEqual([
      'gatewayStarted',
      'connected',
      'sessionMade',
      'start',
      'processExited',
    ]);
    // The log has two lines of each process, and three lines before them.
    expect(events.length - 1 + missing).toBe(3 + 250 * 2);
  });

  it('[LG4] continues while the output of its terminal is stopped', async () => {
    const [stop, go] = [Buffer.from('\u0013'), Buffer.from('\u0011')];
    const argv = [process.execPath, join(product, 'dist/server/main.js'), '--port', '0'];
    const env = { PATH, HOME: state, XDG_STATE_HOME: state };
    const { child, exited, printed, output } = startChild(specOf(argv, { tty: TERMINAL, env }));
    await printed('#code=');
    const [url = ''] = /\bws:\S+/.exec(output().toString()) ?? [];
    await child.write(stop);
    const wrong = { headers: { authorization: 'Bearer wrong' } };
    for (let i = 0; i < 3; i += 1)
      expect((await fetch(`${url.replace('ws', 'http')}/auth/identity`, wrong)).status).toBe(401);
    await child.write(go);
    await printed('refused /auth/identity');
    process.kill(child.pid, 'SIGTERM');
    expect(await exited).toEqual({ code: 0, signal: null });
  });

  it('continues when the reader of its log has disconnected', async () => {
    const { child, url, exit } = await running('--port', '0');
    child.stderr.destroy();
    child.stdout.destroy();
    const http = url.replace('ws', 'http');
    const wrong = { headers: { authorization: 'Bearer wrong' } };
    for (let i = 0; i < 3; i += 1) expect((await fetch(`${http}/auth/identity`, wrong)).status).toBe(401);
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });
});
