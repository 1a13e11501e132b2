// The last output of a child is never lost: thousands of children, paused and not.
import { describe, expect, it } from 'vitest';
import { TAIL_CASES, tailsOf } from '../testing/child-tails.ts';

const RUNS = 1000;

describe('A child that prints and exits at once', () => {
  it.each(TAIL_CASES)(`loses nothing in ${RUNS} runs: $kind, $size bytes, $paused`, async (tail) => {
    expect(await tailsOf(tail, RUNS)).toEqual(new Set([`${tail.size} …END`]));
  });
});
