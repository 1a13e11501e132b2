// The proof that a child's last output is never lost: short-lived children by the hundred, paused and not.
import { describe, expect, it } from 'vitest';
import type { Child } from './child.ts';
import { KINDS, raw, specOf, startChild } from '../testing/test-child.ts';

const RUNS = 300;
const AT_ONCE = 6;

const TAILS = [16 * 1024, 256 * 1024];
const PAUSES = [
  { paused: 'never paused', first: () => {}, chunk: () => {} },
  {
    paused: 'paused from the start until its exit or a while',
    first: (child: Child) => {
      child.pause();
      setTimeout(() => child.resume(), 8);
    },
    chunk: () => {},
  },
  {
    paused: 'paused after each chunk',
    first: () => {},
    chunk: (child: Child) => {
      child.pause();
      setImmediate(() => child.resume());
    },
  },
];

const cases = KINDS.flatMap((kind) =>
  TAILS.flatMap((size) => PAUSES.map((pause) => ({ ...kind, size, ...pause }))),
);

describe('a child that prints and exits at once', () => {
  it.each(cases)(
    `loses nothing in ${RUNS} runs: $kind, $size bytes, $paused`,
    async ({ tty, size, first, chunk }) => {
      const one = async (): Promise<string> => {
        const argv = raw(`exec perl -e 'print "x" x ${size - 3}, "END"'`);
        const { child, exited, ended, output } = startChild(specOf(argv, { tty }), chunk);
        first(child);
        await Promise.all([exited, ended]);
        const all = output();
        return `${all.length} …${all.subarray(-3).toString()}`;
      };
      const seen = new Set<string>();
      let left = RUNS;
      const several = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          seen.add(await one());
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, several));
      expect(seen).toEqual(new Set([`${size} …END`]));
    },
  );
});
