// Failed starts, which report a reason and leave nothing behind, and descriptors of the gateway, which no
// child inherits.
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ChildSpec } from './child.ts';
import { SpawnError, spawnChild } from './spawn.ts';
import { KINDS, PATH, specOf, startChild, TERMINAL } from '../testing/test-child.ts';

const folder = mkdtempSync(join(tmpdir(), 'spawn-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string, mode: number): string => {
  const path = join(folder, name);
  writeFileSync(path, content, 'latin1');
  chmodSync(path, mode);
  return path;
};

/** Returns the program with the name of a loader that does not exist, as in a program for another C library. */
function withoutLoader(program: string): string {
  const changed = program.replace(/\/lib\w*\/ld-[\w.-]+(?=\0)/, (loader) => `${loader.slice(0, -1)}X`);
  if (changed === program) throw new Error('the program names no loader');
  return changed;
}

const plain = file('plain', 'echo', 0o644);
const orphan = file('orphan', '#!/proc/none/interpreter -x\n', 0o755);
const loaderless = file('loaderless', withoutLoader(readFileSync('/bin/true', 'latin1')), 0o755);
const dangling = join(folder, 'dangling');
symlinkSync('nowhere', dangling);

const silent = { onOutput() {}, onResized() {}, onExit() {}, onEnd() {} };

const refusals: [string, Partial<ChildSpec>, RegExp][] = [
  ['an unknown name', { argv: ['no-such-program'] }, /^cannot start "no-such-program": not found in PATH$/],
  ['an unknown path', { argv: ['/proc/none'] }, /^cannot start "\/proc\/none": not found$/],
  ['a dangling link', { argv: [dangling] }, /: not found$/],
  ['a file that is not executable', { argv: [plain] }, /: permission denied$/],
  [
    'such a file in PATH',
    { argv: ['plain'], env: { PATH: folder } },
    /^cannot start "plain": permission denied$/,
  ],
  ['a directory', { argv: ['/tmp'] }, /^cannot start "\/tmp": not an executable file$/],
  ['a name that PATH lacks', { argv: ['ls'], env: { PATH: folder } }, /not found in PATH/],
  ['an empty name', { argv: [''] }, /argv\[0\] is empty/],
  ['no argv', { argv: [] }, /argv\[0\] is empty/],
  ['a missing interpreter', { argv: [orphan] }, /its interpreter \/proc\/none\/interpreter: not found/],
  ['a missing loader', { argv: [loaderless] }, /: its loader does not exist$/],
  ['a missing folder', { argv: ['ls'], cwd: '/proc/none' }, /^folder \/proc\/none does not exist$/],
  ['a file as the folder', { argv: ['ls'], cwd: plain }, /^folder .*: it is not a folder$/],
  ['a NUL in argv', { argv: ['ls', 'a\0b'] }, /NUL byte/],
  ['a NUL in a variable', { argv: ['ls'], env: { PATH, A: '\0' } }, /NUL byte/],
  ['a NUL in the folder', { argv: ['ls'], cwd: '/tmp\0' }, /NUL byte/],
  ['a NUL in arg0', { argv: ['ls'], arg0: '\0' }, /NUL byte/],
  ['a long argument', { argv: ['ls', 'x'.repeat(200_000)] }, /too long/],
  ['many arguments', { argv: ['ls', ...Array.from({ length: 300_000 }, () => 'x')] }, /too long/],
];

const descriptors = (pid: number | 'self'): string[] => readdirSync(`/proc/${pid}/fd`);

describe.each(KINDS)('A child on $kind', ({ tty }) => {
  it.each(refusals)('is refused for %s, and leaves no descriptor open', (_, changes, message) => {
    // The first start opens descriptors that stay open.
    spawnChild(specOf(['true'], { tty }), silent).abandon();
    const before = descriptors('self').length;
    const start = (): unknown => spawnChild(specOf([], { tty, ...changes }), silent);
    expect(start).toThrow(SpawnError);
    expect(start).toThrow(message);
    expect(descriptors('self').length).toBeLessThanOrEqual(before);
  });

  it.each<[string, BufferEncoding]>([
    ['UTF-8', 'utf8'],
    ['other', 'latin1'],
  ])('runs a script whose interpreter has a name with %s bytes beyond ASCII', async (name, encoding) => {
    const interpreter = Buffer.from(join(folder, `é-${name}-${tty ? 'tty' : 'pipes'}`), encoding);
    symlinkSync('/bin/sh', interpreter);
    const script = file(`script-${name}`, `#!${interpreter.toString('latin1')}\necho works\n`, 0o755);
    const { ended, output } = startChild(specOf([script], { tty }));
    await ended;
    expect(output().toString()).toMatch(/^works\r?\n$/);
  });

  it('leaves no descriptor open when it has ended', async () => {
    const start = () => startChild(specOf(['echo', 'x'], { tty, pipeStdin: !tty }));
    await start().ended;
    const before = descriptors('self').length;
    const all = Array.from({ length: 10 }, start);
    await Promise.all(all.map(({ exited, ended }) => Promise.all([exited, ended])));
    // The end of stdin is reported a turn later than that of the output.
    await expect.poll(() => descriptors('self').length).toBeLessThanOrEqual(before);
  });
});

it('[PR7] no child inherits a descriptor of the gateway or of another child', async () => {
  // Each program reports that it is running and then waits, since a program that is still loading has its
  // libraries open.
  const argv = ['sh', '-c', 'echo ready; read line'];
  const bare = spawn('sh', argv.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
  await once(bare.stdout, 'data');
  // Descriptors that the parent of these tests left open are ignored.
  const foreign = new Set(descriptors(bare.pid ?? 0));
  bare.kill('SIGKILL');
  const start = (terminal: boolean) =>
    startChild(
      specOf(argv, {
        tty: terminal ? TERMINAL : null,
        pipeStdin: !terminal,
      }),
    );
  const children = [true, false, true, true, false].map(start);
  await Promise.all(children.map(({ printed }) => printed('ready')));
  for (const { child } of children) {
    const others = descriptors(child.pid).filter((fd) => Number(fd) > 2 && !foreign.has(fd));
    expect(others).toEqual([]);
  }
  for (const { child } of children) process.kill(-child.pid, 'SIGKILL');
  await Promise.all(children.map(({ ended }) => ended));
});
