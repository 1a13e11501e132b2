// Tests that the oracle of the fault runs detects each kind of violation.
import { expect, it } from 'vitest';
import { judge, recordOf, type Given, type Story } from './oracle.ts';
import { printed } from './printer.ts';

const out = (seq: number, from: number, to: number): Given => ({
  kind: 'output',
  seq,
  stream: 'stdout',
  bytes: printed('stdout', 1000).subarray(from, to),
});
const END: readonly Given[] = [{ kind: 'exited', exitCode: 3 }, { kind: 'closed' }];
const ALL: readonly Given[] = [out(1, 0, 100), out(2, 100, 600), out(3, 600, 1000)];
const GAP: Given = { kind: 'gap', afterSeq: 1, nextSeq: 3, bytes: 500 };
const RECORD = recordOf('owner', 0, 10);

const good: Story = {
  planned: {
    startedBy: 'owner',
    atMs: 0,
    tty: false,
    readsStdin: true,
    exitCode: 3,
    steps: [{ kind: 'print', stream: 'stdout', bytes: 1000 }],
    deeds: [],
    watchedAfterMs: 0,
    slowMs: 0,
  },
  isKilled: false,
  outputBytes: 1000,
  owner: [...ALL, ...END],
  watcher: [out(1, 0, 100), GAP, out(3, 600, 1000), ...END],
  writes: [{ who: 'owner', number: 0, record: RECORD, outcome: 'accepted' }],
  interrupts: { asked: 2, done: 1 },
  report: { interrupts: 1, input: RECORD },
};

it('the oracle finds no violation in a correct story', () => {
  judge(good, { isTight: false });
});

it.each<[what: string, changes: Partial<Story>, complaint: string]>([
  ['a byte too few', { owner: [...ALL.slice(0, 2), out(3, 600, 999), ...END] }, 'received 999 bytes'],
  ['a chunk twice', { watcher: [...ALL.slice(0, 2), ...ALL.slice(1), ...END] }, 'seq 2 after 2'],
  [
    'other bytes',
    { owner: [out(1, 0, 100), out(2, 101, 601), out(3, 600, 1000), ...END] },
    'not what was printed',
  ],
  ['a silent gap', { watcher: [out(1, 0, 100), out(3, 600, 1000), ...END] }, 'are missing'],
  [
    'a gap of the owner',
    { owner: [out(1, 0, 100), { ...GAP, bytes: null }, out(3, 600, 1000), ...END] },
    'the owner has 1 gap',
  ],
  [
    'a gap that is too small',
    { watcher: [out(1, 0, 100), { ...GAP, bytes: 499 }, out(3, 600, 1000), ...END] },
    'missing',
  ],
  [
    'a gap at another place',
    { watcher: [{ ...GAP, afterSeq: 0, nextSeq: 2, bytes: 500 }, out(3, 600, 1000), out(4, 0, 100), ...END] },
    'not what was printed',
  ],
  ['no exit', { owner: [...ALL, { kind: 'closed' }] }, 'received 0 exits'],
  ['another exit', { owner: [...ALL, { kind: 'exited', exitCode: 4 }, { kind: 'closed' }] }, 'exit code 4'],
  ['output after the end', { watcher: [...END, ...ALL] }, 'after the end'],
  ['a write that is lost', { report: { interrupts: 1, input: '' } }, 'arrived 0 times'],
  ['a write twice', { report: { interrupts: 1, input: RECORD + RECORD } }, 'arrived 2 times'],
  ['half a write', { report: { interrupts: 1, input: RECORD.slice(3) } }, 'at byte 0'],
  ['a signal twice', { report: { interrupts: 3, input: RECORD } }, '3 interrupts'],
  ['a signal that is lost', { report: { interrupts: 0, input: RECORD } }, 'no interrupt'],
])('the oracle finds %s', (_, changes, complaint) => {
  expect(() => judge({ ...good, ...changes }, { isTight: false })).toThrow(complaint);
});

it('the oracle counts one gap in the singular', () => {
  const owner = [GAP, ...ALL, ...END];
  expect(() => judge({ ...good, owner }, { isTight: false })).toThrow(/^the owner has 1 gap$/);
});
