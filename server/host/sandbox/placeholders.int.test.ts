// Placeholders on a real file system: shared, filled by other programs, or left by a killed gateway.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sandboxIntent } from '../../../protocol/sandbox.ts';
import { Placeholders } from './placeholders.ts';
import { Sandboxes, type Inside, type Sandbox } from './sandboxes.ts';

let top: string;
let state: string;
let git: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'placeholders-'));
  state = join(top, 'state');
  git = join(top, '.git');
  mkdirSync(state);
});
afterEach(() => rmSync(top, { recursive: true }));

const journalOf = (pid: number, paths: unknown): void =>
  writeFileSync(join(state, `placeholders-${pid}.json`), JSON.stringify(paths));

it('[SB3] placeholders exist until the last sandbox that needs them has ended', () => {
  const held = new Placeholders(state);
  const [one, other] = [held.hold([git]), held.hold([git])];
  expect([existsSync(git), held.isHeld(git)]).toEqual([true, true]);
  one();
  one();
  expect(existsSync(git)).toBe(true);
  other();
  expect([existsSync(git), held.isHeld(git), readdirSync(state)]).toEqual([false, false, []]);
});

it('[SB3] placeholders are removed when not all of them can be created', () => {
  const held = new Placeholders(state);
  expect(() => held.hold([git, join(top, 'missing/.git')])).toThrow('ENOENT');
  expect([existsSync(git), readdirSync(state)]).toEqual([false, []]);
});

it('[SB3] placeholders are removed later when it is unknown for now whether another gateway needs them', () => {
  const held = new Placeholders(state);
  const release = held.hold([git]);
  const [away, other] = [join(top, 'away'), join(top, '.codex')];
  renameSync(state, away);
  release();
  renameSync(away, state);
  expect([existsSync(git), held.isHeld(git)]).toEqual([true, true]);
  held.hold([git])();
  expect([existsSync(git), held.isHeld(git)]).toEqual([false, false]);
  const releaseAgain = held.hold([git]);
  renameSync(state, away);
  releaseAgain();
  renameSync(away, state);
  held.hold([other])();
  expect(readdirSync(top)).toEqual(['state']);
  expect(readdirSync(state)).toEqual([]);
});

it('[SB3] placeholders that another program has filled are not removed', () => {
  const release = new Placeholders(state).hold([git]);
  writeFileSync(join(git, 'config'), '');
  release();
  expect(existsSync(join(git, 'config'))).toBe(true);
});

it('[SB3] placeholders of a killed gateway are removed by the next one, but not those of a running gateway', () => {
  const gone = spawnSync('/bin/true').pid;
  mkdirSync(git);
  mkdirSync(join(top, '.codex'));
  journalOf(gone, [git, 7]);
  journalOf(process.ppid, [join(top, '.codex')]);
  writeFileSync(join(state, 'restricted.bpf'), '');
  expect(new Placeholders(state).isHeld(git)).toBe(false);
  expect(readdirSync(top).toSorted()).toEqual(['.codex', 'state']);
  expect(readdirSync(state).toSorted()).toEqual([`placeholders-${process.ppid}.json`, 'restricted.bpf']);
});

it('[SB3] placeholders of another gateway are shared, and remain when this one ends first', () => {
  mkdirSync(git);
  journalOf(process.ppid, [git]);
  const held = new Placeholders(state);
  expect(held.isHeld(git)).toBe(true);
  held.hold([git])();
  expect(existsSync(git)).toBe(true);
  // The gateway that ends last removes the placeholder.
  const release = held.hold([git]);
  rmSync(join(state, `placeholders-${process.ppid}.json`));
  release();
  expect(existsSync(git)).toBe(false);
});

it('[SB3] placeholders tolerate a malformed journal', () => {
  writeFileSync(join(state, `placeholders-${spawnSync('/bin/true').pid}.json`), '{');
  expect(new Placeholders(state).isHeld(git)).toBe(false);
  expect(readdirSync(state)).toEqual([]);
});

it('[KP11] placeholders of sandboxes in a keeper stay while it runs, even when gateways are replaced', () => {
  const keeper = process.ppid;
  const gone = spawnSync('true').pid;
  new Placeholders(state, keeper).hold([git]);
  const next = new Placeholders(state, keeper);
  expect([existsSync(git), next.isHeld(git)]).toEqual([true, true]);
  // Placeholders for an earlier gateway's sandboxes remain when a sandbox of the next gateway ends.
  next.hold([git])();
  expect(existsSync(git)).toBe(true);
  expect(readdirSync(state)).toEqual([`placeholders-${keeper}.json`]);
  renameSync(join(state, `placeholders-${keeper}.json`), join(state, `placeholders-${gone}.json`));
  const withAnotherKeeper = new Placeholders(state, keeper);
  expect([existsSync(git), withAnotherKeeper.isHeld(git)]).toEqual([false, false]);
});

it.runIf(process.platform === 'linux')(
  '[SB3] a protected path below missing folders cannot be created from inside, and nothing stands there afterwards',
  async () => {
    const work = join(top, 'work');
    mkdirSync(work);
    const sandboxes = new Sandboxes({ stateDir: state, floor: 'none', user: null });
    await sandboxes.prepare();
    const at = (path: string, access: string): object => ({
      path: { type: 'path', path: pathToFileURL(path).href },
      access,
    });
    const enter = async (access: string): Promise<Inside> => {
      const entries = [at('/', 'read'), at(work, 'write'), at(join(work, 'a/b/c'), access)];
      const file_system = { type: 'restricted', entries };
      const permissions = { type: 'managed', file_system, network: 'restricted' };
      const intent = sandboxIntent.parse({ permissions });
      const sandbox = (await sandboxes.sandbox(intent, { cwd: work, tmpdir: undefined })) as Sandbox;
      const argv = ['/bin/sh', '-c', 'echo x > file; mkdir -p a/b/c; echo x > a/b/c/d && echo created'];
      return sandbox.enter({ argv, arg0: null, cwd: work, env: { PATH: '/usr/bin:/bin' } });
    };
    const entered = [await enter('read'), await enter('none'), await enter('read')];
    for (const { argv, env } of entered) {
      rmSync(join(work, 'file'), { force: true });
      const [program = '', ...args] = argv;
      const { stdout } = spawnSync(program, args, { env, encoding: 'utf8' });
      expect([stdout, existsSync(join(work, 'file'))]).toEqual(['', true]);
    }
    for (const { leave } of entered) await leave();
    expect(readdirSync(work)).toEqual(['file']);
  },
);
