// Tests of when recordings are written, with a fake clock.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Flush } from './flush.ts';

const FLUSH_MS = 50;
const written: string[][] = [];
let flush: Flush<{ name: string; beganMs: number; isOver: boolean }>;

const begun = (name: string) => ({ name, beganMs: performance.now(), isOver: false });

beforeEach(() => {
  vi.useFakeTimers();
  written.length = 0;
  flush = new Flush(FLUSH_MS, (due) => written.push(due.map(({ name }) => name)));
});
afterEach(() => {
  flush.close();
  vi.useRealTimers();
});

describe('Flush', () => {
  it('writes each change once, after the interval', () => {
    const one = begun('one');
    vi.advanceTimersByTime(FLUSH_MS);
    flush.changed(one);
    flush.changed(one);
    vi.advanceTimersByTime(FLUSH_MS - 1);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(written).toEqual([['one']]);
    vi.advanceTimersByTime(10 * FLUSH_MS);
    expect(written).toHaveLength(1);
  });

  it('delays a new recording until it is old enough, and no longer', () => {
    const old = begun('old');
    vi.advanceTimersByTime(FLUSH_MS);
    flush.changed(old);
    vi.advanceTimersByTime(FLUSH_MS - 10);
    flush.changed(begun('young'));
    vi.advanceTimersByTime(10);
    expect(written).toEqual([['old']]);
    vi.advanceTimersByTime(FLUSH_MS - 10);
    expect(written).toEqual([['old'], ['young']]);
  });

  it('writes an end immediately, and those that follow it together', () => {
    const ends = ['first', 'second', 'third'].map(begun);
    for (const one of ends) {
      flush.changed(one);
      one.isOver = true;
      flush.ended();
      vi.advanceTimersByTime(1);
    }
    expect(written).toEqual([['first']]);
    vi.advanceTimersByTime(FLUSH_MS);
    expect(written).toEqual([['first'], ['second', 'third']]);
  });
});
