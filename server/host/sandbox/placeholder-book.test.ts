// Test of the list of placeholders on a full disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { limitFiles } from '../../testing/limit-files.ts';
import { PlaceholderBook } from './placeholder-book.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'placeholders-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([0, 5])(
  'the next gateway finds the placeholders of a disk that had room for %i bytes more',
  (bytes) => {
    new PlaceholderBook(folder, process.pid).take(['/tmp/project/.env']);
    const book = new PlaceholderBook(folder, process.pid);
    expect(book.leaving()).toEqual(['/tmp/project/.env']);
    limitFiles(bytes);
    try {
      expect(() => book.take(['/tmp/project/.envrc'])).toThrow();
    } finally {
      limitFiles('unlimited');
    }
    expect(new PlaceholderBook(folder, process.pid).leaving()).toEqual(['/tmp/project/.env']);
  },
);
