// State that a keeper passes to its next program: encoded, decoded and damaged.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { encodeFrame, HEADER_BYTES } from '../wire/frames.ts';
import { decodePassed, encodePassed, type Passed } from './passed.ts';

const SUM_BYTES = 32;

const resummed = (bytes: Buffer): Buffer => {
  const body = bytes.subarray(0, -SUM_BYTES);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
};

const limits = {
  stdinQueueBytes: 1,
  stdinQueueWrites: 2,
  stdinWaitingBytes: 3,
  stdinAllBytes: 4,
  stdinFairBytes: 5,
};
const state = {
  startedAtMs: 1,
  terminating: { sinceMs: 2, killAtMs: 3, isEscapedToo: false },
  ranOutAtMs: null,
  exit: { code: 143, signal: 'SIGTERM' },
  exitedAtMs: 4,
  hasEnded: false,
  key: 'key',
  owned: { lingerMs: 80_000, isOwned: true },
  limits,
  log: {
    segments: [
      {
        head: { key: 'key', segment: 3, firstOffset: 5, wallMs: 6, monotonicUs: 7, salt: 2 ** 32 - 1 },
        bytes: 64,
      },
    ],
    endOffset: 9,
    size: { rows: 24, cols: 80 },
  },
  child: {
    pid: 10,
    lineage: { marks: ['1152921504606846976', 'slack 50001'], startedAt: 11 },
    tty: true,
    writable: true,
    terminal: { fd: 12, name: '/dev/pts/1', childs: null },
    stdin: null,
    outputs: [],
    endsInput: false,
  },
  stdin: { applied: 13, closedFrom: null, endsThen: true },
};
const keeper = {
  epoch: 1,
  startedAtMs: 2,
  nextNumber: 3,
  marks: { first: '1152921504606846976', next: '1152921504606846978', nextSlack: 4, isConfined: true },
  lock: 20,
  listener: 21,
  others: [22, 23],
  gateway: { fd: 24, pid: 25, version: 1 },
};
const passed: Passed = {
  keeper,
  processes: [
    {
      state: { ...state, number: 1 },
      queued: [Buffer.from('queued'), Buffer.from([0, 255])],
      waiting: [{ seq: 2 ** 40, bytes: Buffer.from('waiting') }],
      unlogged: [{ type: 'pty', atMs: 5, payload: Buffer.from([0, 200, 255]) }],
    },
    { state: { ...state, number: 2 }, queued: [], waiting: [], unlogged: [] },
  ],
};

it('[KP21] Encoded state is the same after decoding', () => {
  expect(decodePassed(encodePassed(passed))).toEqual(passed);
});

it('[KP22] Encoded state is rejected when any byte is changed or missing', () => {
  const bytes = encodePassed(passed);
  for (let at = 0; at < bytes.length; at += 7) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => decodePassed(changed), `byte ${at}`).toThrow('damaged');
    expect(() => decodePassed(bytes.subarray(0, at)), `${at} bytes`).toThrow('damaged');
  }
});

it('[KP22] Encoded state is rejected when it has an unknown form or part', () => {
  const bytes = encodePassed(passed);
  const text = bytes.toString('latin1').replace('"form":1', '"form":2');
  expect(() => decodePassed(resummed(Buffer.from(text, 'latin1')))).toThrow(
    'format 2, but this program reads format 1',
  );
  const part = encodeFrame(9, 0, 0);
  expect(part).toHaveLength(HEADER_BYTES);
  const more = Buffer.concat([bytes.subarray(0, -SUM_BYTES), part, Buffer.alloc(SUM_BYTES)]);
  expect(() => decodePassed(resummed(more))).toThrow('a part of unknown type 9');
});
