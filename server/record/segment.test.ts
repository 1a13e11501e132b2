// Tests of segments on disk: complete, truncated, damaged and foreign ones.
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Dice } from '../../client/testing/dice.ts';
import { limitFiles } from '../testing/limit-files.ts';
import {
  decodeHead,
  encodeHead,
  frame,
  HEAD_BYTES,
  MAX_PAYLOAD_BYTES,
  recordsIn,
  type Damage,
  type PlacedRecord,
  type SegmentHead,
  type SegmentRecord,
} from './segment-format.ts';
import {
  decodeCount,
  decodeExit,
  decodeSize,
  encodeCount,
  encodeExit,
  encodeSize,
} from './segment-payloads.ts';
import { headOf } from './segment-head.ts';
import { recoverSegment } from './segment-recovery.ts';
import { SegmentWriter } from './segment-writer.ts';

const HEAD: SegmentHead = {
  key: 'a-key_16letters0',
  segment: 3,
  firstOffset: 2 ** 40 + 5,
  wallMs: 1_764_187_200_123,
  monotonicUs: 987_654_321,
  salt: 0xfeedf00d,
};

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'segment-'));
  path = join(folder, '00000001.xcr');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns records of output, sizes, exits and ends, with payloads of many sizes, some of which look like records. */
function someRecords(dice: Dice, count: number): SegmentRecord[] {
  let offset = HEAD.firstOffset;
  return Array.from({ length: count }, (_, at) => {
    const type = dice.oneOf(['stdout', 'stderr', 'pty', 'pty', 'resize', 'exit', 'end'] as const);
    const isOutput = type === 'stdout' || type === 'stderr' || type === 'pty';
    const length = isOutput ? dice.pickAnySize(1, 300) : dice.pick(0, 8);
    const payload = dice.chance(0.2)
      ? frame([{ type: 'pty', atMs: 1, offset: 1, payload: Buffer.alloc(length) }], 0).reduce((a, b) =>
          Buffer.concat([a, b]),
        )
      : Buffer.from(Array.from({ length }, () => dice.pick(0, 255)));
    const record: SegmentRecord = { type, atMs: HEAD.wallMs + at, offset, payload };
    if (isOutput) offset += payload.length;
    return record;
  });
}

function written(records: readonly SegmentRecord[]): Buffer {
  return Buffer.concat([encodeHead(HEAD), ...frame(records, HEAD.salt)]);
}

const read = (bytes: Buffer): (PlacedRecord | Damage)[] => [...recordsIn(bytes, HEAD)];
const plain = (records: readonly (PlacedRecord | Damage | SegmentRecord)[]): SegmentRecord[] =>
  records.flatMap((record) =>
    record.type === 'damage'
      ? []
      : [{ type: record.type, atMs: record.atMs, offset: record.offset, payload: record.payload }],
  );

describe('A segment', () => {
  it('returns its head and every record as written', () => {
    const records = someRecords(new Dice(1), 200);
    const bytes = written(records);
    expect(decodeHead(bytes)).toEqual(HEAD);
    expect(plain(read(bytes))).toEqual(records);
  });

  it('has all whole records before a cut at any byte, and no others', () => {
    const records = someRecords(new Dice(2), 14);
    const bytes = written(records);
    const ends = read(bytes).map(({ end }) => end);
    for (let cut = HEAD_BYTES; cut <= bytes.length; cut += 1) {
      const whole = ends.filter((end) => end <= cut).length;
      expect(plain(read(bytes.subarray(0, cut)))).toEqual(records.slice(0, whole));
    }
  });

  it('loses at most one record to any flipped bit', () => {
    const records = someRecords(new Dice(3), 12);
    const bytes = written(records);
    const whole = read(bytes);
    for (let at = HEAD_BYTES; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
      const index = whole.findIndex(({ end }) => at < end);
      expect(plain(read(damaged))).toEqual(records.toSpliced(index, 1));
      expect(read(damaged).find(({ type }) => type === 'damage')).toEqual({
        type: 'damage',
        start: whole[index]?.start,
        end: whole[index]?.end,
      });
    }
  });

  it('has no head when a bit of the head is flipped', () => {
    const head = encodeHead(HEAD);
    for (let at = 0; at < HEAD_BYTES; at += 1) {
      const damaged = Buffer.from(head);
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
      expect(decodeHead(damaged)).toBeNull();
    }
  });

  it('[HS6] has a head that is derived from the first record when a bit of the head is flipped', () => {
    for (const payload of [Buffer.alloc(0), Buffer.from('output')]) {
      const bytes = written([{ type: 'pty', atMs: 7, offset: HEAD.firstOffset, payload }]);
      for (let at = 0; at < HEAD_BYTES; at += 1) {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
        const { salt, firstOffset } = HEAD;
        expect(headOf(damaged)).toMatchObject({ salt, firstOffset, wallMs: 7 });
      }
      expect(headOf(bytes)).toEqual(HEAD);
    }
  });

  it.each([
    ['the first record is damaged, too', (bytes: Buffer) => bytes.fill(0, 0, HEAD_BYTES + 1)],
    ['the first record is cut', (bytes: Buffer) => bytes.fill(0, 0, 1).subarray(0, -1)],
    ['it has no record', (bytes: Buffer) => bytes.fill(0, 0, 1).subarray(0, HEAD_BYTES)],
    ['the length of the first record is impossible', (bytes: Buffer) => bytes.fill(255, 0, HEAD_BYTES + 4)],
  ])('has no derived head when %s', (_, damage) => {
    const payload = Buffer.from('output');
    expect(headOf(damage(written([{ type: 'pty', atMs: 7, offset: 0, payload }])))).toBeNull();
  });

  it('ignores records that a program printed, even after damage', () => {
    const forged = Buffer.concat(
      frame([{ type: 'exit', atMs: 1, offset: HEAD.firstOffset, payload: Buffer.alloc(4) }], 0),
    );
    const bytes = written([{ type: 'pty', atMs: 1, offset: HEAD.firstOffset, payload: forged }]);
    bytes[HEAD_BYTES + 8] = (bytes[HEAD_BYTES + 8] as number) ^ 1;
    expect(read(bytes)).toEqual([{ type: 'damage', start: HEAD_BYTES, end: bytes.length }]);
  });

  it('is searched quickly after damage, whatever it contains', () => {
    const likely = frame([{ type: 'pty', atMs: 1, offset: 1, payload: Buffer.alloc(MAX_PAYLOAD_BYTES) }], 5);
    const header = likely[0] as Buffer;
    const bytes = Buffer.concat([encodeHead(HEAD), ...Array.from({ length: 200_000 }, () => header)]);
    const begun = process.cpuUsage();
    expect(read(bytes)).toEqual([{ type: 'damage', start: HEAD_BYTES, end: bytes.length }]);
    // A checksum of a megabyte at each of these headers would take minutes.
    expect(process.cpuUsage(begun).user).toBeLessThan(10_000_000);
  });

  it('refuses a payload that readers would take for damage', () => {
    const payload = Buffer.alloc(MAX_PAYLOAD_BYTES + 1);
    expect(() => frame([{ type: 'pty', atMs: 1, offset: 1, payload }], 0)).toThrow('too long');
  });
});

describe('SegmentWriter', () => {
  it('appends to a file that only its owner can read, with the same result sync and async', async () => {
    const records = someRecords(new Dice(4), 3000);
    const writer = SegmentWriter.create(path, HEAD);
    expect(writer.isEmpty).toBe(true);
    writer.appendSync(records.slice(0, 1500));
    await writer.append(records.slice(1500));
    await writer.sync();
    await writer.close();
    expect(readFileSync(path).equals(written(records))).toBe(true);
    expect(writer.bytes).toBe(statSync(path).size);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('never writes to an existing file', () => {
    writeFileSync(path, 'mine');
    expect(() => SegmentWriter.create(path, HEAD)).toThrow('EEXIST');
    expect(() => SegmentWriter.writeWhole(path, HEAD, [])).toThrow('EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it.each([0, 20, HEAD_BYTES, HEAD_BYTES + 20])(
    'leaves no file when a full disk accepts only %i bytes of its beginning',
    (bytes) => {
      const records = someRecords(new Dice(8), 20);
      limitFiles(bytes);
      try {
        expect(() => SegmentWriter.create(path, HEAD, records)).toThrow();
        expect(() => SegmentWriter.writeWhole(path, HEAD, records)).toThrow();
      } finally {
        limitFiles('unlimited');
      }
      expect(existsSync(path)).toBe(false);
      SegmentWriter.writeWhole(path, HEAD, records);
      expect(readFileSync(path).equals(written(records))).toBe(true);
    },
  );

  it('writes a whole file in one call', () => {
    const records = someRecords(new Dice(6), 20);
    SegmentWriter.writeWhole(path, HEAD, records);
    expect(readFileSync(path).equals(written(records))).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('continues after the last whole record, wherever a crash cut the file', async () => {
    const records = someRecords(new Dice(5), 8);
    const bytes = written(records);
    const ends = read(bytes).map(({ end }) => end);
    const last: SegmentRecord = { type: 'end', atMs: 1, offset: 0, payload: Buffer.alloc(0) };
    for (let cut = HEAD_BYTES; cut <= bytes.length; cut += 7) {
      writeFileSync(path, bytes.subarray(0, cut));
      const writer = SegmentWriter.reopen(path);
      writer?.appendSync([last]);
      await writer?.close();
      const whole = ends.filter((end) => end <= cut).length;
      expect(plain(read(readFileSync(path)))).toEqual([...records.slice(0, whole), last]);
    }
  });
});

describe('recoverSegment', () => {
  it('reports where output continues, what was cut off, and what is damaged before that', () => {
    const records: SegmentRecord[] = [
      { type: 'pty', atMs: 1, offset: HEAD.firstOffset, payload: Buffer.from('one') },
      { type: 'pty', atMs: 2, offset: HEAD.firstOffset + 3, payload: Buffer.from('three') },
    ];
    const bytes = written(records);
    bytes[HEAD_BYTES] = 99;
    writeFileSync(path, bytes);
    appendFileSync(path, Buffer.alloc(500));
    expect(recoverSegment(path)).toEqual({
      head: HEAD,
      bytes: bytes.length,
      nextOffset: HEAD.firstOffset + 8,
      lost: null,
      cutBytes: 500,
      damagedBytes: 27,
    });
    expect(statSync(path).size).toBe(bytes.length);
  });

  it('[HS6] counts the output that it cuts off after intact headers', () => {
    const records = ['one', 'three', 'last'].map((text, at): SegmentRecord => ({
      type: 'pty',
      atMs: 1,
      offset: [0, 3, 8][at] ?? 0,
      payload: Buffer.from(text),
    }));
    const bytes = written(records);
    const second = written(records.slice(0, 1)).length;
    bytes[second + 24] = 0;
    writeFileSync(path, bytes.subarray(0, -1));
    expect(recoverSegment(path)).toMatchObject({
      bytes: second,
      nextOffset: 3,
      lost: { events: 2, endOffset: 12 },
    });
  });

  it.each([
    ['', 'an empty file'],
    ['XCR1', 'a torn head'],
    ['# notes\n'.repeat(20), 'a foreign file'],
  ])('leaves %j as it is: %s', (content) => {
    writeFileSync(path, content);
    expect(recoverSegment(path)).toBeNull();
    expect(readFileSync(path, 'utf8')).toBe(content);
  });
});

describe('Payloads', () => {
  it('are decoded as they were encoded', () => {
    expect(decodeSize(encodeSize({ rows: 24, cols: 65535 }))).toEqual({ rows: 24, cols: 65535 });
    for (const signal of [null, 'SIGKILL']) {
      const exit = { code: -1, signal, sandboxDenied: signal !== null };
      expect(decodeExit(encodeExit(exit))).toEqual(exit);
    }
    expect(decodeCount(encodeCount(2 ** 50))).toBe(2 ** 50);
  });

  it('are null when their length is wrong', () => {
    expect(decodeSize(Buffer.alloc(3))).toBeNull();
    expect(decodeExit(Buffer.alloc(4))).toBeNull();
    expect(decodeCount(Buffer.alloc(9))).toBeNull();
  });
});
