// Tests that the notes file is rewritten instead of growing with every change, and is complete after a full disk.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitFiles } from '../testing/limit-files.ts';
import { NamedNotes } from './named-notes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'noted-lines-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const failed = (error: Error | null): never => {
  throw error ?? new Error('not failed');
};

it('the next program reads the notes, and their file is rewritten once most lines are outdated', () => {
  const path = join(folder, 'notes.jsonl');
  const notes = new NamedNotes(path, failed);
  notes.set('kept', 'a', { n: 1 });
  for (let n = 0; n < 12_000; n += 1) notes.set('changing', 'b', { n });
  notes.set('gone', 'c', {});
  notes.remove('gone', 'c');
  notes.close();
  notes.set('late', 'd', {});
  expect(readFileSync(path, 'utf8').split('\n').length).toBeLessThan(5100);
  const next = new NamedNotes(path, failed);
  expect([next.all('kept'), next.all('changing'), next.all('gone'), next.all('late')]).toEqual([
    new Map([['a', { n: 1 }]]),
    new Map([['b', { n: 11_999 }]]),
    new Map(),
    new Map(),
  ]);
  next.close();
});

describe('A notes file that could not be written', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it.each([1, 30, 20_000])('[KP10] has every note once the disk has room, after %i notes', (count) => {
    const path = join(folder, 'notes.jsonl');
    const failed = vi.fn();
    const notes = new NamedNotes(path, failed);
    notes.set('kind', 'before', {});
    limitFiles(25);
    try {
      for (let n = 0; n < count; n += 1) notes.set('kind', n % 2 ? 'odd' : `even ${n % 30}`, { n });
      vi.advanceTimersByTime(3000);
      expect(failed.mock.calls).toEqual([[expect.any(Error)]]);
    } finally {
      limitFiles('unlimited');
    }
    vi.advanceTimersByTime(1000);
    expect(failed.mock.calls).toEqual([[expect.any(Error)], [null]]);
    expect(new NamedNotes(path, failed).all('kind')).toEqual(notes.all('kind'));
    notes.close();
    expect(failed).toHaveBeenCalledTimes(2);
  });

  it('[KP10] is written when it is closed, and reports no failure from then on', () => {
    const path = join(folder, 'gone', 'notes.jsonl');
    const failed = vi.fn();
    const notes = new NamedNotes(path, failed);
    notes.set('kind', 'a', {});
    mkdirSync(join(folder, 'gone'));
    notes.close();
    expect(failed.mock.calls).toEqual([[expect.any(Error)], [null]]);
    expect(new NamedNotes(path, failed).all('kind')).toEqual(new Map([['a', {}]]));
  });
});
