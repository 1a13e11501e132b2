// Tests of recordings whose gateway is killed at each of its changes of the disk, and of the next gateway, which
// records the same processes again as it does after taking them over from a keeper.
import { AsyncLocalStorage } from 'node:async_hooks';
import fs, { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Dice } from '../../client/testing/dice.ts';
import { storedMeta } from '../testing/stored-meta.ts';
import { RECORD_LIMITS } from './limits.ts';
import { folderOf, monthOf, openFolder } from './places.ts';
import { Recorder } from './recorder.ts';
import { StoredRecording } from './stored-recording.ts';

/** A gateway that dies at one of its changes of the disk. */
interface Life {
  /** Number of changes that it still makes; afterwards it makes none. */
  left: number;
  /** True when a write at which the gateway dies is half done. */
  readonly isTorn: boolean;
  readonly died: () => void;
  isDead: boolean;
}

const lives = new AsyncLocalStorage<Life>();

/** Counts a change; returns false when the gateway is dead or dies now. Calls `tear` when it dies with `isTorn`. */
function isAlive(tear?: () => void): boolean {
  const life = lives.getStore();
  if (!life) return true;
  if (!life.isDead && life.left > 0) {
    life.left -= 1;
    return true;
  }
  if (!life.isDead) {
    life.isDead = true;
    if (life.isTorn) tear?.();
    life.died();
  }
  return false;
}

const restored: (() => void)[] = [];

/**
 * Replaces a function of a module by one that, in a dead gateway, changes nothing, and throws or returns a promise that
 * never settles.
 */
function replace<Key extends string>(
  module: Record<Key, unknown>,
  name: Key,
  isSync: boolean,
  tear: (all: unknown[], self: unknown) => void = () => {},
): void {
  const real = module[name] as (...all: unknown[]) => unknown;
  restored.push(() => (module[name] = real));
  module[name] = function (this: unknown, ...all: unknown[]) {
    if (isAlive(() => tear(all, this))) return real.apply(this, all);
    if (isSync) throw new Error('the gateway is dead');
    return new Promise(() => {});
  };
}

beforeAll(async () => {
  const writeHalf = ([file, buffers]: unknown[]): void => {
    const bytes = Buffer.concat(buffers as Buffer[]);
    fs.writeSync(file as number, bytes.subarray(0, bytes.length / 2));
  };
  const all = fs as unknown as Record<string, unknown>;
  for (const name of ['mkdirSync', 'renameSync', 'rmSync', 'unlinkSync', 'ftruncateSync'])
    replace(all, name, true);
  replace(all, 'writevSync', true, writeHalf);
  replace(all, 'writev', false, writeHalf);
  const { openSync } = fs;
  restored.push(() => (fs.openSync = openSync));
  fs.openSync = (path, flags, mode) => {
    if (flags === 'ax' && !isAlive()) throw new Error('the gateway is dead');
    return openSync(path, flags, mode);
  };
  const promises = fs.promises as unknown as Record<string, unknown>;
  for (const name of ['mkdir', 'rename', 'rm', 'unlink']) replace(promises, name, false);
  const handle = await open(tmpdir());
  const handles = Object.getPrototypeOf(handle) as Record<'writeFile', unknown>;
  await handle.close();
  replace(handles, 'writeFile', false, ([content], self) => {
    fs.writeSync((self as FileHandle).fd, String(content).slice(0, String(content).length / 2));
  });
  syncBuiltinESMExports();
});
afterAll(() => {
  for (const restore of restored) restore();
  syncBuiltinESMExports();
});

const STARTED_MS = Date.UTC(2026, 10, 27);
const KEYS = ['long', 'short'] as const;
const LINES = {
  long: Array.from({ length: 12 }, (_, at) => `${at} ${'x'.repeat(100)}\n`),
  short: ['one\n', 'two\n'],
};
const LIMITS = { ...RECORD_LIMITS, recordSegmentBytes: 600, recordFreeBytes: 0, recordFreeShare: 0 };

async function record(root: string, isContinued: boolean): Promise<void> {
  const recorder = new Recorder({
    root,
    limits: LIMITS,
    owner: () => ({ pid: 1, startTime: 1 }),
    isRunning: () => true,
    isHeld: () => isContinued,
    failed: () => {},
  });
  await recorder.ready;
  for (const key of KEYS) {
    const source = { describe: () => storedMeta(key, STARTED_MS), gather: () => {}, hold: () => () => {} };
    recorder.begin(key, STARTED_MS, source, { seq: 1, offset: 0, isContinued });
    recorder.resized(key, { rows: 24, cols: 80 }, STARTED_MS);
    for (const [at, line] of LINES[key].entries()) {
      recorder.output(key, 'pty', Buffer.from(line), STARTED_MS + at);
      if (key === 'long' && at % 2 === 0) await recorder.flushed(key);
      if (at === 5) recorder.mark(key, { act: 'typed' });
    }
    recorder.exited(key, { code: 0, signal: null, sandboxDenied: false }, STARTED_MS + 20);
    recorder.closed(key, STARTED_MS + 20);
    await recorder.flushed(key);
  }
  await recorder.close();
}

/** Runs a gateway that records until it dies; resolves with the number of changes that it did not make. */
async function live(root: string, isContinued: boolean, left: number, isTorn: boolean): Promise<number> {
  let died = (): void => {};
  const death = new Promise<void>((resolve) => (died = resolve));
  const life: Life = { left, isTorn, died, isDead: false };
  await Promise.race([lives.run(life, () => record(root, isContinued).catch(() => death)), death]);
  return life.left;
}

async function expectWhole(root: string): Promise<void> {
  const recorder = new Recorder({
    root,
    limits: LIMITS,
    owner: () => ({ pid: 1, startTime: 1 }),
    isRunning: () => false,
    isHeld: () => false,
    failed: () => {},
  });
  await recorder.ready;
  const listed: string[] = [];
  for await (const { meta } of recorder.catalog.newestFirst()) listed.push(meta.info.key);
  await recorder.close();
  expect(listed.toSorted()).toEqual(KEYS);
  expect(readdirSync(openFolder(root))).toEqual([]);
  for (const key of KEYS) {
    const recording = await StoredRecording.open(folderOf(root, monthOf(STARTED_MS), key));
    const { events, missedBytes } = await recording.after(0, 10_000);
    const text = events.map((event) => (event.kind === 'output' ? event.bytes.toString() : event.kind));
    expect({ text, missedBytes }).toEqual({ text: [...LINES[key], 'exited', 'closed'], missedBytes: 0 });
  }
}

async function withRoot<T>(run: (root: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'crash-'));
  const result = await run(root);
  rmSync(root, { recursive: true });
  return result;
}

it.each([false, true])(
  '[HS14] has all events once after a death at each change; torn: %s',
  async (isTorn) => {
    let changes = 0;
    /** Resolves with true once `changes` is more than a gateway makes. */
    const isOver = (): Promise<boolean> =>
      withRoot(async (root) => {
        const left = await live(root, false, changes, isTorn);
        await live(root, true, Number.POSITIVE_INFINITY, isTorn);
        await expectWhole(root);
        return left > 0;
      });
    while (!(await isOver())) changes += 1;
    expect(changes).toBeGreaterThan(20);
  },
);

it('[HS14] has all events once after several deaths at any changes', async () => {
  const dice = new Dice(Date.now());
  for (let round = 0; round < 60; round += 1)
    await withRoot(async (root) => {
      const deaths = Array.from({ length: dice.pick(2, 5) }, () => dice.pick(0, 40));
      for (const [at, changes] of deaths.entries()) await live(root, at > 0, changes, dice.chance(0.5));
      await live(root, true, Number.POSITIVE_INFINITY, false);
      await expectWhole(root);
    });
});
