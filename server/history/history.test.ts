// Tests of processes of earlier gateways that several clients open at once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import type { ProcessControl } from '../keeper/process-view.ts';
import { Recorder } from '../record/recorder.ts';
import { storedMeta } from '../testing/stored-meta.ts';
import { History } from './history.ts';

const KEY = 'a-key_16letters0';
const STARTED_MS = Date.UTC(2026, 10, 27);

let root = '';
let history: History;
let opened: ProcessControl[] = [];
let limits: { -readonly [name in keyof typeof DEFAULT_LIMITS]: number };

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'history-'));
  opened = [];
  limits = { ...DEFAULT_LIMITS };
  const recorder = new Recorder({
    root,
    limits,
    owner: () => ({ pid: 1, startTime: 1 }),
    isRunning: () => true,
    isHeld: () => false,
    failed: () => {},
  });
  history = new History({
    limits,
    recorder,
    isOn: true,
    present: () => [],
    describe: () => storedMeta(KEY, STARTED_MS).info,
    clientNameOf: () => null,
    opened: (process) => opened.push(process),
    closed: () => {},
    removed: () => {},
  });
  await recorder.ready;
  const source = {
    describe: () => storedMeta(KEY, STARTED_MS),
    gather: () => {},
    hold: () => () => {},
  };
  recorder.begin(KEY, STARTED_MS, source, { seq: 1, offset: 0, isContinued: false });
  recorder.output(KEY, 'stdout', Buffer.from('secret\n'), STARTED_MS);
  recorder.exited(KEY, { code: 0, signal: null, sandboxDenied: false }, STARTED_MS);
  recorder.closed(KEY, STARTED_MS);
  await recorder.flushed(KEY);
});
afterEach(async () => {
  await history.close();
  rmSync(root, { recursive: true });
});

it('[HS11] opens one process for all requests at once, whose output can be removed', async () => {
  expect(await Promise.all([history.open(KEY), history.open(KEY)])).toEqual([true, true]);
  expect(opened).toEqual([history.get(KEY)]);
  expect(opened[0]?.log.retainedBytes).toBe(7);
  expect(await history.remove({ keys: [KEY], who: 'Ada' })).toMatchObject({ removed: 1 });
  expect(opened[0]?.log.retainedBytes).toBe(0);
  expect(await history.open(KEY)).toBe(false);
});

it('[HS11] has no open process after its recording was removed while it was being opened', async () => {
  // Reading may also fail when a file is already gone.
  const opening = history.open(KEY).catch(() => false);
  expect(await history.remove({ keys: [KEY], who: 'Ada' })).toMatchObject({ removed: 1 });
  await opening;
  expect(history.get(KEY)).toBeUndefined();
  expect(opened.every(({ log }) => log.retainedBytes === 0)).toBe(true);
});

it('[HS12] has no open process after its recording was removed for its age', async () => {
  expect(await history.open(KEY)).toBe(true);
  limits.recordAgeMs = 0;
  await history.recorder.retention.prune();
  expect(history.get(KEY)).toBeUndefined();
  expect(opened[0]?.log.retainedBytes).toBe(0);
  expect(await history.open(KEY)).toBe(false);
});
