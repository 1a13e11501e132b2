// Folders that are replaced between the decision on a sandbox and its start: rules SB17 and SB18.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import type { SandboxIntent } from '../../../protocol/sandbox.ts';
import { workspaceWrite } from '../../testing/intents.ts';
import { makeExactFolder, removeExactFolder } from './exact-folder.ts';
import { Sandboxes, type Sandbox } from './sandboxes.ts';

let state: string;
let sandboxes: Sandboxes;
let base: string;

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), 'mounts-state-'));
  sandboxes = new Sandboxes({ stateDir: state, floor: 'workspace-write', user: null });
  await sandboxes.prepare();
});
afterAll(() => rmSync(state, { recursive: true }));
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'mounts with\\blanks-')));
  for (const name of ['work', 'outside', 'work/sub/.git']) mkdirSync(join(base, name), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true }));

/**
 * Runs a shell in a sandbox and returns its exit code and output; `meanwhile` runs after the decision, before the
 * start.
 */
function run(script: string, meanwhile: () => void = () => {}): { status: number | null; output: string } {
  const cwd = join(base, 'work');
  const intent = workspaceWrite(cwd) as SandboxIntent;
  const sandbox = sandboxes.sandbox(intent, { cwd, tmpdir: undefined }) as Sandbox;
  const { argv, env, leave } = sandbox.enter({
    argv: ['/bin/sh', '-c', script],
    arg0: null,
    cwd,
    env: { PATH: '/usr/bin:/bin' },
  });
  meanwhile();
  const [file = '', ...args] = argv;
  const { status, stdout, stderr } = spawnSync(file, args, { env, cwd: '/', encoding: 'utf8' });
  void leave();
  return { status, output: stdout + stderr };
}

const replaceBy = (path: string, target: string): void => {
  renameSync(path, `${path}.old`);
  symlinkSync(target, path);
};

describe('[SB17] A sandbox', () => {
  it('runs a command when nothing was replaced, whatever characters are in the path', () => {
    expect(run('echo ok > made && cat made')).toEqual({ status: 0, output: 'ok\n' });
  });

  it.each([
    ['a folder outside', () => join(base, 'outside')],
    ['a folder of the system', () => '/etc'],
    ['a mount of its own', () => '/dev/shm'],
    ['a missing path', () => join(base, 'nothing')],
  ])('does not run a command when its workspace has become a link to %s', (_, target) => {
    const before = existsSync(target()) ? readdirSync(target()) : null;
    const { status, output } = run('touch made-by-a-test; echo ran', () =>
      replaceBy(join(base, 'work'), target()),
    );
    expect(status).not.toBe(0);
    expect(output).not.toContain('ran');
    expect(existsSync(target()) ? readdirSync(target()) : null).toEqual(before);
  });

  it('does not run a command when a protected name was replaced', () => {
    const { status, output } = run('echo ran', () => {
      renameSync(join(base, 'work/sub'), join(base, 'elsewhere'));
      mkdirSync(join(base, 'outside/.git'));
      symlinkSync(join(base, 'outside'), join(base, 'work/sub'));
    });
    expect(status).not.toBe(0);
    expect(output).not.toContain('ran');
  });
});

describe('[SB18] A protected name', () => {
  it.each(['sub', '.'])('cannot be moved away together with its parent folder: %s', (folder) => {
    mkdirSync(join(base, 'work/.git'));
    const { output } = run(
      `mv ${folder === '.' ? join(base, 'work').replaceAll(/([ \\])/g, '\\$1') : folder} ../moved 2>/dev/null || mv sub moved 2>/dev/null; mkdir -p sub/.git && echo evil > sub/.git/config; cat sub/.git/config`,
    );
    expect(output).not.toContain('evil\n');
    expect(existsSync(join(base, 'work/sub/.git/config'))).toBe(false);
    expect(existsSync(join(base, 'work/.git'))).toBe(true);
  });
});

it('[SB17] a placeholder is created and removed only at its decided path, not at the target of a later link', () => {
  const inside = join(base, 'work/sub');
  makeExactFolder(join(inside, 'made'));
  replaceBy(inside, join(base, 'outside'));
  mkdirSync(join(base, 'outside/made'));
  expect(() => makeExactFolder(join(inside, '.agents'))).toThrow(`${inside} was replaced`);
  expect(() => removeExactFolder(join(inside, 'made'))).toThrow(`${inside} was replaced`);
  expect(readdirSync(join(base, 'outside'))).toEqual(['made']);
});

it('[SB16] a protected name that was replaced outside is protected by the next sandbox', () => {
  const name = join(base, 'work/.envrc');
  writeFileSync(name, 'before');
  expect(run('echo evil > .envrc').status).not.toBe(0);
  writeFileSync(`${name}.new`, 'after');
  renameSync(`${name}.new`, name);
  rmSync(join(base, 'work/sub/.git'), { recursive: true });
  mkdirSync(join(base, 'work/sub/.git'));
  expect(run('echo evil > .envrc').status).not.toBe(0);
  expect(run('echo evil > sub/.git/config').status).not.toBe(0);
  expect(readFileSync(name, 'utf8')).toBe('after');
});
