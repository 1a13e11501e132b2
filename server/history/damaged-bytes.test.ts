// Tests of a process whose recording is damaged or cut at each of its bytes: it is listed and opened by its key, and at most
// the damaged record is missing, as a counted gap.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import type { ProcessControl } from '../keeper/process-view.ts';
import { readByKey } from '../keeper/read.ts';
import { folderOf, monthOf } from '../record/places.ts';
import { Recorder } from '../record/recorder.ts';
import { storedMeta } from '../testing/stored-meta.ts';
import { History } from './history.ts';

const KEY = 'a-key_16letters0';
const STARTED_MS = Date.UTC(2026, 10, 27);
const LINES = Array.from({ length: 4 }, (_, at) => `${at} ${'x'.repeat(40)}\n`);
const LINE_BYTES = 43;
const TEXT = LINES.join('');
const EXIT = { code: 3, signal: null, sandboxDenied: false };
/** No process stays open, so each request reads the recording again. */
const LIMITS = { ...DEFAULT_LIMITS, recordSegmentBytes: 300, pastProcesses: 0 };

let root = '';
let history: History;
let opened: ProcessControl | null = null;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'damaged-bytes-'));
  const recorder = new Recorder({
    root,
    limits: LIMITS,
    owner: () => ({ pid: 1, startTime: 1 }),
    isRunning: () => true,
    isHeld: () => false,
    failed: () => {},
  });
  history = new History({
    limits: LIMITS,
    recorder,
    isOn: true,
    present: () => [],
    describe: () => storedMeta(KEY, STARTED_MS).info,
    clientNameOf: () => null,
    opened: (process) => (opened = process),
    closed: () => {},
    removed: () => {},
  });
});
afterEach(async () => {
  await history.close();
  rmSync(root, { recursive: true });
});

/** Records the process; returns the files of its recording. */
async function recorded(form: 'short' | 'long'): Promise<readonly string[]> {
  const { recorder } = history;
  await recorder.ready;
  const outputBytes = TEXT.length;
  const meta = storedMeta(KEY, STARTED_MS);
  const info = { ...meta.info, exitCode: EXIT.code, outputBytes, nextSeq: LINES.length + 3 };
  const source = { describe: () => ({ ...meta, info }), gather: () => {}, hold: () => () => {} };
  recorder.begin(KEY, STARTED_MS, source, { seq: 1, offset: 0, isContinued: false });
  for (const line of LINES) {
    recorder.output(KEY, 'stdout', Buffer.from(line), STARTED_MS);
    if (form !== 'short') await recorder.flushed(KEY);
  }
  recorder.exited(KEY, EXIT, STARTED_MS);
  recorder.closed(KEY, STARTED_MS);
  await recorder.flushed(KEY);
  const folder = folderOf(root, monthOf(STARTED_MS), KEY);
  if (form === 'short') return [`${folder}.xcr`];
  return readdirSync(folder).map((name) => join(folder, name));
}

interface Read {
  readonly text: string;
  readonly missed: number;
}

/** Reads the process as clients do: from its recording, and the end from its log. */
async function readAll(): Promise<Read> {
  expect(await history.list({ key: KEY })).toMatchObject({ processes: [{ key: KEY, exitCode: EXIT.code }] });
  await history.open(KEY);
  if (!opened) throw new Error('not opened');
  const process = opened;
  let [text, missed] = ['', 0];
  for (let afterSeq = 0; ;) {
    const page =
      (await history.read(process, { afterSeq }, () => (chunk) => chunk)) ??
      readByKey(process, { afterSeq }, (chunk) => chunk);
    expect(page).toMatchObject({ exited: true, exitCode: EXIT.code, closed: true });
    missed += page.missedBytes;
    for (const { chunk } of page.chunks) text += Buffer.from(chunk, 'base64').toString();
    if (page.nextSeq - 1 === afterSeq) return { text, missed };
    afterSeq = page.nextSeq - 1;
  }
}

/** Returns the number of lines that are missing in a text, which has no others, and no part of one. */
function missingLines(text: string): number {
  const lines = text.split('\n').slice(0, -1);
  let found = 0;
  for (const line of LINES) if (line === `${lines[found]}\n`) found += 1;
  expect(found).toBe(lines.length);
  return LINES.length - found;
}

/** Length from which on a file has long facts, in which damage to every seventh byte is tested. */
const LONG_BYTES = 500;

/** Calls `check` with what is read while a file has each of the contents. */
async function withEach(
  path: string,
  contents: (bytes: Buffer, at: number) => Buffer,
  check: (read: Read, at: number) => void,
): Promise<void> {
  const bytes = readFileSync(path);
  const step = bytes.length < LONG_BYTES ? 1 : 7;
  for (let at = 0; at < bytes.length; at += step) {
    writeFileSync(path, contents(bytes, at));
    opened = null;
    check(await readAll(), at);
  }
  writeFileSync(path, bytes);
}

function flipped(bytes: Buffer, at: number): Buffer {
  const damaged = Buffer.from(bytes);
  damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
  return damaged;
}

const cut = (bytes: Buffer, at: number): Buffer => bytes.subarray(0, at);

it.each(['short', 'long'] as const)(
  '[HS3] [HS6] a %s recording loses at most the damaged record to a flipped bit',
  async (form) => {
    for (const path of await recorded(form)) {
      if (!path.endsWith('.xcr')) continue;
      await withEach(path, flipped, ({ text, missed }) => {
        expect(missingLines(text)).toBeLessThanOrEqual(1);
        expect(missed).toBe(TEXT.length - text.length);
      });
    }
  },
);

it.each(['short', 'long'] as const)(
  '[HS3] [HS6] a %s recording loses only what follows a cut in the same file',
  async (form) => {
    const files = (await recorded(form)).filter((path) => path.endsWith('.xcr'));
    for (const path of files) {
      const { size } = statSync(path);
      await withEach(path, cut, ({ text, missed }, at) => {
        missingLines(text);
        expect(missed).toBe(TEXT.length - text.length);
        // The record at the cut is missing as a whole.
        expect(missed).toBeLessThan(size - at + LINE_BYTES);
      });
    }
  },
);

it('[HS3] [HS6] a long recording is opened with facts that are cut', async () => {
  const path = (await recorded('long')).find((each) => basename(each) === 'meta.json') ?? '';
  await withEach(path, cut, (read) => expect(read).toEqual({ text: TEXT, missed: 0 }));
});
