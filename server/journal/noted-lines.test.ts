// Tests that the notes file is rewritten instead of growing with every change.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NamedNotes } from './named-notes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'noted-lines-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const failed = (error: Error): void => {
  throw error;
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
