// Tests of replaying the past of a process from its log and its seqs.
import { expect, it } from 'vitest';
import { NONE_EARLIER } from '../journal/seq-index.ts';
import type { PastStep } from '../keeper/begun.ts';
import type { Sealed } from '../keeper/seq-journal.ts';
import type { RecordType, SegmentRecord } from '../record/segment-format.ts';
import { encodeCount, encodeExit, encodeSize } from '../record/segment-payloads.ts';
import { pastSteps, replayParts, type Past } from './past-steps.ts';

const entry = (kind: Sealed['kind'], endOffset: number, exitCode = 0): Sealed => ({
  kind,
  endOffset,
  atMs: endOffset,
  exitCode,
  sandboxDenied: false,
});
const record = (type: RecordType, offset: number, payload: string | Buffer = ''): SegmentRecord => ({
  type,
  atMs: 1,
  offset,
  payload: Buffer.from(payload),
});

function replay(past: Partial<Past>, records: readonly SegmentRecord[], firstOffset = 0): readonly string[] {
  const whole = { earlier: NONE_EARLIER, entries: [], exit: null, isHeld: true, ...past };
  return [...pastSteps(whole, { firstOffset, records })].map(inWords);
}

function inWords(step: PastStep): string {
  if (step.kind === 'output') return `${step.bytes.toString()}${step.isWhole ? '|' : ''}`;
  if (step.kind === 'missing') return `missing ${step.isContinued ? 'rest ' : ''}to ${step.ends.join(', ')}`;
  if (step.kind === 'resized') return `${step.size.rows}x${step.size.cols}`;
  return step.kind === 'exited' ? `exited ${step.exit.code} ${step.exit.signal ?? ''}`.trim() : step.kind;
}

it('[KP3] chunks keep their boundaries, wherever the records of the log end', () => {
  const entries = [entry('stdout', 3), entry('stdout', 7)];
  expect(replay({ entries }, [record('stdout', 0, 'ab'), record('stdout', 2, 'cdefghi')])).toEqual([
    'ab',
    'c|',
    'defg|',
  ]);
});

it('[KP3] an exit keeps its place among the output', () => {
  const entries = [entry('stdout', 2), entry('exited', 2, 7), entry('stdout', 4), entry('closed', 4)];
  const records = [record('stdout', 0, 'abcd')];
  expect(replay({ entries, exit: { code: 7, signal: null } }, records)).toEqual([
    'ab|',
    'exited 7',
    'cd|',
    'closed',
  ]);
});

it('[KP3] events whose output is no longer on disk are skipped, and the others keep their seqs', () => {
  const entries = [entry('stdout', 2), entry('stdout', 6), entry('stdout', 8)];
  expect(replay({ entries }, [record('stdout', 4, 'efgh')], 4)).toEqual(['missing to 2, 6', 'gh|']);
});

it.each([true, false])(
  '[KP10] missing output without a seq gets one, so that it is counted, in a keeper: %s',
  (isHeld) => {
    const entries = [entry('stdout', 2), entry('stdout', 6)];
    const records = [record('stdout', 9, 'jk')];
    const read = isHeld ? [] : ['jk'];
    expect(replay({ entries, isHeld }, records, 9)).toEqual(['missing to 2, 6, 9', ...read]);
    // Later gateways find that seq noted.
    const noted = [...entries, entry('stdout', 9)];
    expect(replay({ entries: noted, isHeld }, records, 9)).toEqual(['missing to 2, 6, 9', ...read]);
  },
);

it('[KP10] damage after the last event with a seq is counted, and the output before it is replayed', () => {
  const entries = [entry('stdout', 2)];
  const records = [record('stdout', 0, 'abc'), record('stdout', 6, 'gh')];
  expect(replay({ entries, isHeld: false }, records)).toEqual(['ab|', 'c', 'missing to 6', 'gh']);
});

it.each([true, false])(
  '[KP10] output that a truncated log lacks is counted, and later events get later seqs, in a keeper: %s',
  (isHeld) => {
    const entries = [entry('stdout', 2), entry('stdout', 4), entry('stdout', 6)];
    const past = { entries, isHeld };
    expect(replay(past, [record('stdout', 0, 'abc')])).toEqual(['ab|', 'c', 'missing rest to 4, 6']);
    expect(replay(past, [])).toEqual(['missing to 2, 4, 6']);
  },
);

it('[KP3] events whose entries are no longer known end where the replay begins', () => {
  const past = { earlier: { events: 1000, bytes: 4 }, entries: [entry('stdout', 6), entry('stdout', 8)] };
  expect(replay(past, [record('stdout', 4, 'efgh')], 4)).toEqual(['ef|', 'gh|']);
  expect(replay(past, [record('stdout', 7, 'h')], 7)).toEqual(['missing to 6, 8']);
  expect(replay({ ...past, entries: [] }, [], 7)).toEqual(['missing to 7']);
});

it('[KP10] an exit whose place in the output is no longer on disk keeps its seq', () => {
  const entries = [entry('stdout', 2), entry('exited', 2, 7), entry('stdout', 4), entry('stdout', 6)];
  const exit = { code: 7, signal: null };
  expect(replay({ entries, exit }, [record('stdout', 4, 'ef')], 4)).toEqual([
    'missing to 2',
    'exited 7',
    'missing to 4',
    'ef|',
  ]);
});

it('[KP3][KP10] events with missing output are skipped, and later ones keep their seqs', () => {
  const entries = [2, 4, 6, 9].map((end) => entry('stdout', end));
  const records = [record('stdout', 0, 'abc'), record('stdout', 5, 'fghi')];
  expect(replay({ entries }, records)).toEqual(['ab|', 'c', 'missing rest to 4, 6', 'ghi|']);
});

it('[KP10] an exit is known although the output before it is missing, and so is the end of a truncated log', () => {
  const entries = [
    entry('stdout', 2),
    entry('exited', 2, 7),
    entry('stdout', 4),
    entry('stdout', 6),
    entry('closed', 6),
  ];
  const records = [record('stdout', 0, 'a'), record('stdout', 4, 'ef')];
  const exit = { code: 7, signal: null };
  expect(replay({ entries, exit }, records)).toEqual([
    'a',
    'missing rest to 2',
    'exited 7',
    'missing to 4',
    'ef|',
    'closed',
  ]);
  expect(replay({ entries, isHeld: false }, records.slice(0, 1))).toEqual([
    'a',
    'missing rest to 2',
    'exited 7',
    'missing to 4, 6',
    'closed',
  ]);
});

it('[KP7] a process without a keeper has all its written output, and its exit if that is known', () => {
  const records = [
    record('stdout', 0, 'abc'),
    record('exit', 3, encodeExit({ code: 137, signal: 'SIGKILL', sandboxDenied: false })),
    record('end', 3),
  ];
  const past = { entries: [entry('stdout', 2)], isHeld: false };
  expect(replay(past, records)).toEqual(['ab|', 'c', 'exited 137 SIGKILL', 'closed']);
  expect(replay(past, records.slice(0, 1))).toEqual(['ab|', 'c']);
});

it('[KP14] the time at which the keeper began to terminate a process is known from its log', () => {
  const exit = encodeExit({ code: 143, signal: 'SIGTERM', sandboxDenied: false });
  const records = [record('ranOut', 0, encodeCount(5)), record('exit', 0, exit)];
  const past = { earlier: NONE_EARLIER, entries: [], exit: null, isHeld: false };
  const [step] = pastSteps(past, { firstOffset: 0, records });
  expect(step).toMatchObject({ kind: 'exited', unhandled: { ranOutAtMs: 5 } });
});

it('[KP3][KP13] steps are replayed in parts that end between two events, even where a size is repeated in one', () => {
  const output = (bytes: string, isWhole: boolean): PastStep => ({
    kind: 'output',
    stream: 'pty',
    bytes: Buffer.from(bytes),
    atMs: 1,
    isWhole,
    isContinued: !isWhole,
  });
  const size: PastStep = { kind: 'resized', size: { rows: 24, cols: 80 } };
  const steps = [output('abcd', false), size, output('ef', true), output('g', true), size];
  const parts = [...replayParts(steps, 3)].map((part) => part.map(inWords).join(' '));
  expect(parts).toEqual(['abcd 24x80 ef|', 'g| 24x80']);
  expect([...replayParts([], 3)]).toEqual([[]]);
});

it('[KP13] output without seqs is replayed in parts, too, however much there is', () => {
  const records = ['abcd', 'efgh', 'ij'].map((text, at) => record('stdout', 4 * at, text));
  const past = { earlier: NONE_EARLIER, entries: [entry('stdout', 2)], exit: null, isHeld: false };
  const steps = pastSteps(past, { firstOffset: 0, records });
  const parts = [...replayParts(steps, 4)].map((part) => part.map(inWords).join(' '));
  expect(parts).toEqual(['ab| cd', 'efgh', 'ij']);
});

it.each([
  ['right after the last output', 0, 'ab', ['1x2', 'ab|', '3x4']],
  ['although none of that output is on disk', 2, '', ['missing to 2', '1x2', '3x4']],
])('[KP3] a held process has the sizes up to its last noted output: %s', (_, from, text, steps) => {
  const [one, other] = [encodeSize({ rows: 1, cols: 2 }), encodeSize({ rows: 3, cols: 4 })];
  const records = [
    record('resize', from, one),
    ...(text === '' ? [] : [record('pty', 0, text)]),
    record('resize', 2, other),
    record('pty', 2, 'cd'),
    record('resize', 4, one),
  ];
  expect(replay({ entries: [entry('pty', 2)] }, records, from)).toEqual(steps);
});

it('[KP3] output has the time at which the keeper read it, wherever an event begins', () => {
  const entries = [entry('pty', 3), entry('pty', 6)];
  const records = [record('pty', 0, 'ab'), { ...record('pty', 2, 'cdef'), atMs: 2 }];
  const steps = [
    ...pastSteps({ earlier: NONE_EARLIER, entries, exit: null, isHeld: true }, { firstOffset: 0, records }),
  ];
  expect(steps.map((step) => step.kind === 'output' && step.atMs)).toEqual([1, 2, 2]);
});
