// Tests of recordings that continue after damage, an incomplete segment or an error of the system.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RECORD_LIMITS } from './limits.ts';
import { OutputCopies } from './output-copies.ts';
import { segmentName } from './places.ts';
import { Recording } from './recording.ts';
import { eventsIn } from './segment-events.ts';
import {
  decodeHead,
  encodeHead,
  isOutput,
  recordsIn,
  type RecordType,
  type SegmentHead,
  type SegmentRecord,
} from './segment-format.ts';
import { StoredRecording } from './stored-recording.ts';

const KEY = 'a-key_16letters0';
const HEAD = encodeHead({ key: KEY, segment: 2, firstOffset: 8, wallMs: 1, monotonicUs: 1, salt: 1 });
const LINES = ['one\n', 'two\n', 'three\n', 'four\n', 'five\n'] as const;

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'recording-')), KEY);
  mkdirSync(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

/** Creates a recording with segments of this size. By default, each line has its own segment. */
const recordingOf = (isContinued: boolean, recordSegmentBytes = 10): Recording =>
  new Recording(
    KEY,
    folder,
    { seq: 1, offset: 0, isContinued },
    {
      limits: { ...RECORD_LIMITS, recordSegmentBytes },
      copies: new OutputCopies(),
      taken: () => {},
      finished: () => {},
    },
  );

function add(recording: Recording, line: string): Promise<void> {
  recording.output('stdout', Buffer.from(line), 1, true);
  return recording.write();
}

/** Records these lines in segments of this size; returns the lost bytes. */
async function record(
  lines: readonly string[],
  isContinued: boolean,
  recordSegmentBytes?: number,
): Promise<number> {
  const recording = recordingOf(isContinued, recordSegmentBytes);
  for (const line of lines) await add(recording, line);
  await recording.closeFile();
  return recording.lostBytes;
}

/** Returns all output, read in pages of this many bytes. */
async function recorded(pageBytes = 1000): Promise<string> {
  const recording = await StoredRecording.open(folder);
  let text = '';
  for (let after = 0; ;) {
    const { events } = await recording.after(after, pageBytes);
    for (const event of events) if (event.kind === 'output') text += event.bytes.toString();
    const last = events.at(-1);
    if (!last) return text;
    after = last.seq;
  }
}

const numbers = (): number[] =>
  paths().flatMap((path) => {
    const bytes = readFileSync(path);
    const head = decodeHead(bytes);
    return head ? eventsIn(bytes, head).events.map(({ seq }) => seq) : [];
  });

const paths = (): string[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name));

it.each([
  [0, 0],
  [0, 20],
  [2, 0],
  [2, HEAD.length - 1],
  [2, HEAD.length],
  [4, 0],
])(
  '[HS14] after %i lines, continues when the next segment has only %i bytes of its head',
  async (count, bytes) => {
    await record(LINES.slice(0, count), false);
    const next = readdirSync(folder).length + 1;
    writeFileSync(join(folder, segmentName(next)), HEAD.subarray(0, bytes));
    expect(await recorded()).toBe(LINES.slice(0, count).join(''));
    expect(await record(LINES, true)).toBe(0);
    expect(await recorded()).toBe(LINES.join(''));
    expect(numbers()).toEqual([1, 2, 3, 4, 5]);
    expect(await (await StoredRecording.open(folder)).end()).toMatchObject({ nextSeq: 6, offset: 24 });
  },
);

it('[HS14] continues after a segment with a damaged head, which it leaves unchanged', async () => {
  await record(LINES.slice(0, 1), false);
  const damaged = join(folder, segmentName(2));
  writeFileSync(damaged, Buffer.alloc(HEAD.length + 20, 1));
  expect(await record(LINES, true)).toBe(0);
  expect(await recorded()).toBe(LINES.join(''));
  expect(readFileSync(damaged)).toEqual(Buffer.alloc(HEAD.length + 20, 1));
});

it('[HS14] loses at most the event of a damaged record, wherever it is', async () => {
  const lines = Array.from({ length: 400 }, (_, at) => `line ${at}\n`);
  await record(lines, false, 4000);
  expect(paths().length).toBeGreaterThan(2);
  expect(await recorded()).toBe(lines.join(''));
  for (const path of paths()) {
    const bytes = readFileSync(path);
    const head = decodeHead(bytes) as SegmentHead;
    for (const { type, start, end, ...record } of recordsIn(bytes, head)) {
      const damaged = Buffer.from(bytes);
      damaged[end - 1] = (damaged[end - 1] as number) ^ 1;
      writeFileSync(path, damaged);
      const lost = isOutput(type as RecordType) ? (record as SegmentRecord).payload.toString() : null;
      const rest = lines.filter((line) => line !== lost).join('');
      expect([type, start, await recorded(200)]).toEqual([type, start, rest]);
    }
    writeFileSync(path, bytes);
  }
}, 60_000);

it('[HS13] records what still fits into a segment when the next one could not be created', async () => {
  const recording = recordingOf(false, 200);
  await add(recording, 'first\n');
  const next = join(folder, segmentName(2));
  mkdirSync(next);
  await expect(add(recording, 'x'.repeat(150))).rejects.toMatchObject({ code: 'EEXIST' });
  rmSync(next, { recursive: true });
  await add(recording, 'second\n');
  await add(recording, 'y'.repeat(150));
  await recording.closeFile();
  expect(recording.lostBytes).toBe(150);
  const stored = await StoredRecording.open(folder);
  expect((await stored.after(0, 1000)).events.map(({ seq }) => seq)).toEqual([1]);
  expect((await stored.after(1, 1000)).events.map(({ seq }) => seq)).toEqual([3, 4]);
});

it('[HS14] continues at the next write when reading the earlier recording has failed', async () => {
  await record(LINES.slice(0, 2), false, 1000);
  const [path = ''] = paths();
  const recording = recordingOf(true, 1000);
  renameSync(path, `${folder}-aside`);
  // A link to itself cannot be opened.
  symlinkSync(path, path);
  for (const line of LINES.slice(0, 3)) await expect(add(recording, line)).rejects.toThrow('ELOOP');
  renameSync(`${folder}-aside`, path);
  for (const line of LINES.slice(3)) await add(recording, line);
  await recording.closeFile();
  expect(recording.lostBytes).toBe(0);
  expect(await recorded()).toBe(LINES.join(''));
  expect(numbers()).toEqual([1, 2, 3, 4, 5]);
});

it('[HS14] continues at the next write when listing the earlier recording has failed', async () => {
  await record(LINES.slice(0, 2), false, 1000);
  const recording = recordingOf(true, 1000);
  renameSync(folder, `${folder}-aside`);
  symlinkSync(folder, folder);
  for (const line of LINES.slice(0, 3)) await expect(add(recording, line)).rejects.toThrow('ELOOP');
  rmSync(folder);
  renameSync(`${folder}-aside`, folder);
  for (const line of LINES.slice(3)) await add(recording, line);
  await recording.closeFile();
  expect(await recorded()).toBe(LINES.join(''));
});
