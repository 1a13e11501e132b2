// Files of the state folder that are replaced by something else: nothing waits for a FIFO or reads a device.
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  APPEND,
  appendLinesAsync,
  NotAFile,
  openRegular,
  openRegularAsync,
  readRegular,
  readRegularAsync,
  writeRegular,
  writeRegularAsync,
} from './regular-file.ts';
import { limitFiles } from '../testing/limit-files.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-regular-'));
  path = join(dir, 'file');
});
afterEach(() => rmSync(dir, { recursive: true }));

describe.each([
  ['a FIFO', (): void => void execFileSync('mkfifo', [path])],
  ['a folder', (): void => mkdirSync(path)],
  ['a device', (): void => symlinkSync('/dev/zero', path)],
])('%s', (what, put) => {
  it('is refused at once by every function, with its path and the remedy', async () => {
    put();
    const refusal = new Error(`${path} is ${what}, not a file; remove it`);
    expect(() => readRegular(path)).toThrow(refusal);
    expect(() => openRegular(path, APPEND)).toThrow(refusal);
    expect(() => writeRegular(path, 'x')).toThrow(refusal);
    await expect(readRegularAsync(path)).rejects.toThrow(refusal);
    await expect(openRegularAsync(path, APPEND)).rejects.toThrow(NotAFile);
    await expect(writeRegularAsync(path, 'x')).rejects.toThrow(refusal);
  });
});

it('writeRegular replaces the content of a file, which is private to its owner', () => {
  writeRegular(path, 'longer');
  writeRegular(path, 'new');
  expect(readRegular(path).toString()).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('writeRegularAsync replaces the content of a file, which is private to its owner', async () => {
  await writeRegularAsync(path, 'longer');
  await writeRegularAsync(path, 'new');
  expect((await readRegularAsync(path)).toString()).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('appendLinesAsync appends to a private file, and ends an incomplete last line first', async () => {
  await appendLinesAsync(path, 'one\n');
  await appendLinesAsync(path, 'two\nthree\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, 'one\ntw');
  await appendLinesAsync(path, 'three\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntw\nthree\n');
});

it.each([0, 3, 8, 12])(
  'appendLinesAsync appends nothing when a full disk accepts only %i bytes',
  async (bytes) => {
    await appendLinesAsync(path, 'one\n');
    limitFiles(4 + bytes);
    try {
      await expect(appendLinesAsync(path, 'second\nthird\n')).rejects.toThrow();
    } finally {
      limitFiles('unlimited');
    }
    expect(readFileSync(path, 'utf8')).toBe('one\n');
    await appendLinesAsync(path, 'second\nthird\n');
    expect(readFileSync(path, 'utf8')).toBe('one\nsecond\nthird\n');
  },
);

it('readRegular follows a link to a file, and refuses a file that is too large', async () => {
  const real = join(dir, 'real');
  writeFileSync(real, 'text');
  symlinkSync(real, path);
  expect(readRegular(path).toString()).toBe('text');
  truncateSync(real, 512 * 1024 ** 2 + 1);
  expect(() => readRegular(path)).toThrow(`${path} is too large to read: it has more than 536,870,912 bytes`);
  await expect(readRegularAsync(path)).rejects.toThrow('has more than');
});

it('openRegular reports a missing file as the system does', () => {
  expect(() => openRegular(path, 0)).toThrow('ENOENT');
  closeSync(openRegular(path, APPEND));
  expect(readRegular(path)).toHaveLength(0);
});
