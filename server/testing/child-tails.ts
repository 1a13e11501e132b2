// Collects the last output of many short-lived children, paused or not.
import type { Child } from '../host/child.ts';
import { KINDS, raw, specOf, startChild } from './test-child.ts';

const AT_ONCE = 6;

const TAILS = [16 * 1024, 256 * 1024];
const PAUSES = [
  { paused: 'never paused', first: () => {}, chunk: () => {} },
  {
    paused: 'paused from the start, for a while or until its exit',
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

export const TAIL_CASES = KINDS.flatMap((kind) =>
  TAILS.flatMap((size) => PAUSES.map((pause) => ({ ...kind, size, ...pause }))),
);

export type TailCase = (typeof TAIL_CASES)[number];

/**
 * Runs children that print a chunk and end immediately; returns the distinct outputs, each by its length and
 * last bytes.
 */
export async function tailsOf({ tty, size, first, chunk }: TailCase, runs: number): Promise<Set<string>> {
  const one = async (): Promise<string> => {
    const argv = raw(`exec perl -e 'print "x" x ${size - 3}, "END"'`);
    const { child, exited, ended, output } = startChild(specOf(argv, { tty }), chunk);
    first(child);
    await Promise.all([exited, ended]);
    const all = output();
    return `${all.length} …${all.subarray(-3).toString()}`;
  };
  const seen = new Set<string>();
  let left = runs;
  const several = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      seen.add(await one());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, several));
  return seen;
}
