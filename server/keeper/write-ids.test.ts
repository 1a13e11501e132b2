// Write ids of one writer, remembered up to a limit.
import { describe, expect, it } from 'vitest';
import { WriteIds } from './write-ids.ts';

describe('WriteIds', () => {
  it('[PR1] remembers ids of any kind', () => {
    const ids = new WriteIds(100);
    for (const id of ['1', '2', 'w1', '007', '-1', '1e3', '3']) {
      expect(ids.has(id)).toBe(false);
      ids.add(id);
      expect(ids.has(id)).toBe(true);
    }
    for (const id of ['0', '4', '7', '1000', 'w2']) expect(ids.has(id)).toBe(false);
  });

  it('[PR1] remembers counts that start anywhere and have holes', () => {
    const ids = new WriteIds(100);
    for (const id of ['5', '6', '9', '7', '8']) ids.add(id);
    expect(['4', '5', '6', '7', '8', '9', '10'].filter((id) => ids.has(id))).toEqual([
      '5',
      '6',
      '7',
      '8',
      '9',
    ]);
  });

  it('[PR1] forgets the oldest of a long count', () => {
    const ids = new WriteIds(1000);
    for (let n = 1; n <= 5000; n += 1) ids.add(String(n));
    expect([ids.has('4000'), ids.has('4001'), ids.has('5000')]).toEqual([false, true, true]);
  });

  it('[PR1] forgets the oldest of many other ids', () => {
    const ids = new WriteIds(10);
    for (let n = 0; n < 25; n += 1) ids.add(`id ${n}`);
    expect([ids.has('id 14'), ids.has('id 15'), ids.has('id 24')]).toEqual([false, true, true]);
  });

  it('[LI17] limits the memory for long ids of all writers, and remembers the newest of every writer', () => {
    const long = (n: number): string => `${n} ${'x'.repeat(250)}`;
    const writers = Array.from({ length: 120 }, () => new WriteIds(65_536));
    for (const ids of writers) for (let n = 0; n < 3000; n += 1) ids.add(long(n));
    const remembered = writers.map((ids) =>
      Array.from({ length: 3000 }, (_, n) => n).filter((n) => ids.has(long(n))),
    );
    expect(remembered.every((each) => each.length >= 256 && each.at(-1) === 2999)).toBe(true);
    expect(Math.max(...remembered.map(({ length }) => length))).toBeLessThan(2000);
    expect(remembered.reduce((sum, { length }) => sum + length, 0) * 500).toBeLessThan(80 * 1024 * 1024);
    for (const ids of writers) ids.forget();
    const later = new WriteIds(65_536);
    for (let n = 0; n < 1000; n += 1) later.add(long(n));
    expect(later.has(long(0))).toBe(true);
    later.forget();
  });
});
