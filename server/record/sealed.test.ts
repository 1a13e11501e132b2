// Tests of sealed segments: the same content as before, and the loss that damage causes.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Dice } from '../../client/testing/dice.ts';
import type { RecordedEvent, Stretch } from './event.ts';
import { recordsFrom } from './growing-segment.ts';
import { RECORD_LIMITS, type RecordLimits } from './limits.ts';
import { OutputCopies } from './output-copies.ts';
import { Recording } from './recording.ts';
import { sealSegment } from './seal.ts';
import { SealedTable } from './sealed-format.ts';
import { formOf, plainSegment } from './segment-content.ts';
import { HEAD_BYTES } from './segment-format.ts';
import { StoredRecording } from './stored-recording.ts';

const MIB = 1024 * 1024;
let folder = '';
let other = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'sealed-')), 'recording');
  other = `${folder}-sealed`;
  mkdirSync(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const recordingOf = (limits: RecordLimits): Recording =>
  new Recording(
    'a-key_16letters0',
    folder,
    { seq: 1, offset: 0, isContinued: false },
    { limits, copies: new OutputCopies(), taken: () => {}, finished: () => {} },
  );

/** Records about `bytes` of output of one process, in chunks of all sizes, and changes of terminal size. */
async function record(dice: Dice, bytes: number, text: (length: number) => Buffer): Promise<void> {
  const recording = recordingOf(RECORD_LIMITS);
  recording.resized({ rows: 24, cols: 80 }, 1000);
  let atMs = 1000;
  for (let written = 0; written < bytes;) {
    const chunk = text(dice.pickAnySize(1, 65_536));
    atMs += dice.pick(0, 3);
    // Some chunks are only counted as lost, as on a full disk.
    recording.output(dice.oneOf(['pty', 'stderr']), chunk, atMs, !dice.chance(0.01));
    written += chunk.length;
    if (dice.chance(0.02)) recording.resized({ rows: dice.pick(20, 23), cols: 100 }, atMs);
    if (recording.queuedBytes > MIB) await recording.write();
  }
  recording.exited({ code: 3, signal: null, sandboxDenied: false }, atMs);
  recording.closed(atMs);
  await recording.write();
  await recording.closeFile();
}

/** Returns a function that creates build logs of a given length. */
function words(dice: Dice): (length: number) => Buffer {
  const names = Array.from({ length: 3000 }, () => Math.floor(dice.random() * 1e9).toString(36));
  return (length) => {
    let text = '';
    while (text.length < length) text += `[${dice.pick(0, 1e6)}] CC src/${dice.oneOf(names as [string])}.c\n`;
    return Buffer.from(text.slice(0, length));
  };
}

const segments = (of: string): string[] =>
  readdirSync(of)
    .filter((name) => name.endsWith('.xcr'))
    .toSorted()
    .map((name) => join(of, name));

function sealCopy(): void {
  rmSync(other, { recursive: true, force: true });
  cpSync(folder, other, { recursive: true });
  for (const path of segments(other)) {
    if (!sealSegment({ path, to: `${path}.new` })) throw new Error(`${path} does not shrink`);
    renameSync(`${path}.new`, path);
  }
}

/** Returns a stretch with its bytes as strings, because comparing large buffers takes seconds. */
const brief = ({ events, ...others }: Stretch): object => ({
  ...others,
  events: events.map((event) =>
    event.kind === 'output' ? { ...event, bytes: event.bytes.toString('latin1') } : event,
  ),
});

async function allEvents(of: string): Promise<{ events: RecordedEvent[]; missedBytes: number }> {
  const recording = await StoredRecording.open(of);
  const events: RecordedEvent[] = [];
  let missedBytes = 0;
  for (;;) {
    const stretch = await recording.after(events.at(-1)?.seq ?? 0, MIB);
    missedBytes += stretch.missedBytes;
    events.push(...stretch.events);
    if (stretch.events.length === 0) return { events, missedBytes };
  }
}

describe('A sealed recording', () => {
  it('[HS19] has the same records and events at any place as before', async () => {
    const dice = new Dice(1);
    await record(dice, 20 * MIB, words(dice));
    sealCopy();
    expect(segments(other).length).toBeGreaterThan(2);
    for (const [at, path] of segments(folder).entries()) {
      const copy = segments(other)[at] ?? '';
      expect(plainSegment(readFileSync(copy)).equals(readFileSync(path))).toBe(true);
      expect(statSync(copy).size).toBeLessThan(statSync(path).size / 2);
      expect(statSync(copy).mode & 0o777).toBe(0o600);
      const middle = [...recordsFrom(path, 0).records].length >> 1;
      const { start = 0 } = ([...recordsFrom(path, 0).records][middle] ?? {}) as { start?: number };
      const [before, after] = [recordsFrom(path, start), recordsFrom(copy, start)];
      expect([...after.records].length).toBe([...before.records].length);
      expect(after.end()).toBe(before.end());
    }
    const [plain, sealed] = [await StoredRecording.open(folder), await StoredRecording.open(other)];
    const end = await plain.end();
    expect(await sealed.end()).toEqual(end);
    const lengths = ({ path, bytes }: { path: string; bytes: number }): unknown => [path.slice(-12), bytes];
    expect(sealed.segments.map(lengths)).toEqual(plain.segments.map(lengths));
    for (let round = 0; round < 150; round += 1) {
      const seq = dice.pick(0, end.nextSeq);
      const bytes = dice.pickAnySize(1, 300_000);
      expect(brief(await sealed.after(seq, bytes))).toEqual(brief(await plain.after(seq, bytes)));
      const [one, two] = [await sealed.before(seq, bytes), await plain.before(seq, bytes)];
      expect(brief(one)).toEqual(brief(two));
    }
  }, 60_000);

  it('[HS2] [HS19] has the sizes before a segment border as before', async () => {
    const recording = recordingOf({ ...RECORD_LIMITS, recordSegmentBytes: 400_000 });
    const print = async (): Promise<void> => {
      for (let line = 0; line < 90; line += 1) {
        recording.output('pty', Buffer.from(`${'.'.repeat(4095)}\n`), 1, true);
        await recording.write();
      }
    };
    recording.resized({ rows: 24, cols: 80 }, 1);
    await print();
    recording.resized({ rows: 50, cols: 200 }, 1);
    await print();
    await recording.closeFile();
    sealCopy();
    const [plain, sealed] = [await StoredRecording.open(folder), await StoredRecording.open(other)];
    const page = await sealed.after(80, 300_000);
    expect(page.sizes.slice(0, 2)).toEqual([
      { afterSeq: 0, rows: 24, cols: 80 },
      { afterSeq: 90, rows: 50, cols: 200 },
    ]);
    expect(brief(page)).toEqual(brief(await plain.after(80, 300_000)));
    expect(brief(await sealed.before(181, 600_000))).toEqual(brief(await plain.before(181, 600_000)));
  });

  it('[HS19] loses at most one frame to a flipped byte, and all else keeps its number', async () => {
    const dice = new Dice(2);
    await record(dice, MIB, words(dice));
    sealCopy();
    const [path = ''] = segments(other);
    const bytes = readFileSync(path);
    const whole = await allEvents(other);
    const table = SealedTable.decode(bytes);
    if (!table) throw new Error('not sealed');
    const places = [0, 5, 9, 20, 100, bytes.length - 1, bytes.length - 100];
    for (let round = 0; round < 25; round += 1) places.push(dice.pick(0, bytes.length - 1));
    for (const place of places) {
      const damaged = Buffer.from(bytes);
      damaged[place] = (damaged[place] as number) ^ (1 << (place % 8));
      writeFileSync(path, damaged);
      const frames = Array.from({ length: table.count }, (_, index) => table.frame(index));
      const hit = frames.find(({ fileAt, fileBytes }) => place >= fileAt && place < fileAt + fileBytes);
      const isLost = (seq: number): boolean => hit !== undefined && seq >= hit.seq && seq < hit.nextSeq;
      const left = whole.events.filter(({ seq }) => !isLost(seq));
      const lost = whole.events.filter(({ seq }) => isLost(seq));
      const found = await allEvents(other);
      expect(found.events.map(({ seq, offset }) => [seq, offset])).toEqual(
        left.map(({ seq, offset }) => [seq, offset]),
      );
      const lostBytes = lost.reduce((sum, each) => sum + (each.kind === 'output' ? each.bytes.length : 0), 0);
      if (left.at(-1)?.seq === whole.events.at(-1)?.seq)
        expect(found.missedBytes).toBe(whole.missedBytes + lostBytes);
      // Reading the whole segment finds at most one damaged part.
      const records = [...recordsFrom(path, HEAD_BYTES).records];
      expect(records.filter((record) => record === null).length).toBeLessThanOrEqual(1);
    }
  }, 60_000);

  it('[HS19] has all whole frames before a cut at any byte', async () => {
    const dice = new Dice(3);
    await record(dice, MIB, words(dice));
    sealCopy();
    const [path = ''] = segments(other);
    const bytes = readFileSync(path);
    const table = SealedTable.decode(bytes);
    const whole = await allEvents(other);
    for (let round = 0; round < 40; round += 1) {
      const cut = dice.pick(4096, bytes.length);
      writeFileSync(path, bytes.subarray(0, cut));
      const frames = Array.from({ length: table?.count ?? 0 }, (_, index) => table?.frame(index));
      const end = frames.findLast((frame) => frame && frame.fileAt + frame.fileBytes <= cut)?.nextSeq ?? 1;
      expect((await allEvents(other)).events.length).toBe(whole.events.filter(({ seq }) => seq < end).length);
    }
  }, 60_000);

  it('[HS19] is readable by a reader that opened it before', async () => {
    const dice = new Dice(4);
    await record(dice, 9 * MIB, words(dice));
    const before = await StoredRecording.open(folder);
    const first = await before.after(0, 100_000);
    const expected = brief(
      await (await StoredRecording.open(folder)).after(first.events.at(-1)?.seq ?? 0, MIB),
    );
    sealCopy();
    for (const [at, path] of segments(other).entries()) renameSync(path, segments(folder)[at] ?? '');
    const later = await StoredRecording.open(folder);
    expect(later.segments.every(({ table }) => table)).toBe(true);
    expect(brief(await before.after(first.events.at(-1)?.seq ?? 0, MIB))).toEqual(expected);
    const { nextSeq } = await before.end();
    expect(brief(await before.before(nextSeq, MIB))).toEqual(brief(await later.before(nextSeq, MIB)));
  }, 60_000);
});

describe('Recording', () => {
  it('[HS19] continues after a sealed segment with another one', async () => {
    const dice = new Dice(7);
    await record(dice, 200_000, words(dice));
    sealCopy();
    const before = await allEvents(other);
    const seq = (before.events.at(-1)?.seq ?? 0) + 1;
    const recording = new Recording(
      'a-key_16letters0',
      other,
      { seq: 1, offset: 0, isContinued: true },
      { limits: RECORD_LIMITS, copies: new OutputCopies(), taken: () => {}, finished: () => {} },
    );
    // Events of the earlier gateway are replayed, and skipped.
    for (const event of before.events)
      if (event.kind === 'output') recording.output(event.stream, event.bytes, event.atMs, true);
    recording.continueAt(seq, 5 * MIB);
    recording.output('pty', Buffer.from('more'), 5, true);
    await recording.write();
    await recording.closeFile();
    expect(segments(other)).toHaveLength(2);
    const { events } = await allEvents(other);
    expect(events.slice(0, -1)).toEqual(before.events);
    expect(events.at(-1)).toMatchObject({ kind: 'output', seq, offset: 5 * MIB, bytes: Buffer.from('more') });
    expect(recording.storedBytes).toBe(segments(other).reduce((sum, path) => sum + statSync(path).size, 0));
  }, 60_000);
});

describe('sealSegment', () => {
  const task = (): { path: string; to: string } => ({
    path: segments(folder)[0] ?? '',
    to: join(folder, 'new'),
  });

  it('leaves a segment that does not shrink by a fifth', async () => {
    const dice = new Dice(5);
    const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, () => dice.pick(0, 255)));
    await record(dice, MIB, noise);
    expect(sealSegment(task())).toBeNull();
    expect(existsSync(task().to)).toBe(false);
  });

  it('leaves damaged, foreign, sealed and missing files', async () => {
    const dice = new Dice(6);
    await record(dice, MIB, words(dice));
    const { path, to } = task();
    const bytes = readFileSync(path);
    const leaves = (content: Buffer | string): void => {
      writeFileSync(path, content);
      expect(sealSegment({ path, to })).toBeNull();
      expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
      expect(existsSync(to)).toBe(false);
    };
    const damaged = Buffer.from(bytes);
    damaged[500_000] = (damaged[500_000] as number) ^ 1;
    leaves(damaged);
    leaves('XCR1');
    leaves('# notes\n'.repeat(100));
    leaves('');
    writeFileSync(path, bytes);
    expect(sealSegment({ path, to })).toEqual({ inode: statSync(path).ino, bytes: bytes.length });
    renameSync(to, path);
    leaves(readFileSync(path));
    expect(formOf(path)).toEqual({ isSealed: true, plainBytes: bytes.length });
    expect(sealSegment({ path: join(folder, 'missing'), to })).toBeNull();
  });
});
