// The last output of a child is not lost; child-tails.nightly.test.ts has more runs.
import { describe, expect, it } from 'vitest';
import { TAIL_CASES, tailsOf } from '../testing/child-tails.ts';

const RUNS = 10;

describe('A child that prints and exits at once', () => {
  it.each(TAIL_CASES)(`loses nothing in ${RUNS} runs: $kind, $size bytes, $paused`, async (tail) => {
    expect(await tailsOf(tail, RUNS)).toEqual(new Set([`${tail.size} …END`]));
  });
});
