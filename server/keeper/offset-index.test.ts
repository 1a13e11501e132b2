// Ends of evicted events, of few and of many, small and large: rule EL5.
import { describe, expect, it } from 'vitest';
import { OffsetIndex } from './offset-index.ts';

/** Events of these lengths, and where each ended. */
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

/** Enough to be in every block, and at each place in one. */
const seqsOf = (count: number): number[] =>
  Array.from({ length: Math.floor(count / 7) }, (_, at) => at * 7 + 1);

describe('the ends of trimmed events', () => {
  it.each([
    ['none', 1, () => 0],
    ['empty ones', 5000, () => 0],
    ['dots', 65_536, () => 1],
    ['all lengths', 10_000, (at: number) => (at * 7919) % 32_769],
    ['chunks beyond 64 KiB', 3000, (at: number) => (at % 1500 === 0 ? 70_000 : 3)],
    ['an output beyond 4 GiB', 65_536, () => 0x1_0000],
  ])('[EL5] are exact: %s', (_, count, lengthOf) => {
    const { index, ends } = pushed(count, lengthOf);
    expect(index.offsetAfter(0)).toBe(0);
    const seqs = seqsOf(count);
    expect(answers(index, seqs)).toEqual(seqs.map((seq) => ends[seq - 1]));
  });

  it('[EL5] are exact of the newest 65 536, and of the rest the oldest that is known', () => {
    const count = 200_000;
    const { index, ends } = pushed(count, (at) => at % 100);
    const oldest = index.offsetAfter(1);
    expect(ends.indexOf(oldest)).toBeLessThan(count - 65_536);
    const seqs = seqsOf(count);
    expect(answers(index, seqs)).toEqual(seqs.map((seq) => Math.max(ends[seq - 1] ?? 0, oldest)));
  });
});
