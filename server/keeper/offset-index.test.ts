// OffsetIndex with few and many events, small and large: rule EL5.
import { describe, expect, it } from 'vitest';
import { OffsetIndex } from './offset-index.ts';

/** Returns an index of `count` events, and the offsets at which they end. */
function pushed(count: number, lengthOf: (index: number) => number): { index: OffsetIndex; ends: number[] } {
  const index = new OffsetIndex();
  const ends: number[] = [];
  let end = 0;
  for (let at = 0; at < count; at += 1) {
    end += lengthOf(at);
    ends.push(end);
    index.push(end);
  }
  return { index, ends };
}

const answers = (index: OffsetIndex, seqs: readonly number[]): number[] =>
  seqs.map((seq) => index.offsetAfter(seq));

/** Returns every seventh seq, so that many places in every block are checked. */
const seqsOf = (count: number): number[] =>
  Array.from({ length: Math.floor(count / 7) }, (_, at) => at * 7 + 1);

describe('The ends of evicted events', () => {
  it.each([
    ['one empty event', 1, () => 0],
    ['empty events', 5000, () => 0],
    ['events of one byte', 65_536, () => 1],
    ['events of all lengths', 10_000, (at: number) => (at * 7919) % 32_769],
    ['chunks beyond 64 KiB', 3000, (at: number) => (at % 1500 === 0 ? 70_000 : 3)],
    ['output beyond 4 GiB', 65_536, () => 0x1_0000],
  ])('[EL5] are exact: %s', (_, count, lengthOf) => {
    const { index, ends } = pushed(count, lengthOf);
    expect(index.offsetAfter(0)).toBe(0);
    const seqs = seqsOf(count);
    expect(answers(index, seqs)).toEqual(seqs.map((seq) => ends[seq - 1]));
  });

  it('[EL5] are exact for the newest 65,536 events, and the oldest known end for the others', () => {
    const count = 200_000;
    const { index, ends } = pushed(count, (at) => at % 100);
    const oldest = index.offsetAfter(1);
    expect(ends.indexOf(oldest)).toBeLessThan(count - 65_536);
    const seqs = seqsOf(count);
    expect(answers(index, seqs)).toEqual(seqs.map((seq) => Math.max(ends[seq - 1] ?? 0, oldest)));
  });
});
