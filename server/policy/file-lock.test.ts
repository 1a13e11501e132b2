// Tests that a lock has one holder even when several processes break it.
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Locked, onceUnlocked, withFileLock } from './file-lock.ts';

// File functions behave as usual, unless a test replaces them.
vi.mock('node:fs', { spy: true });
const { renameSync: rename, writeFileSync: write } =
  await vi.importActual<typeof import('node:fs')>('node:fs');

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'exec-console-lock-')), 'file');
  return () => rmSync(join(path, '..'), { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('[AU17] a lock is returned to the process that took it just before it was broken', () => {
  const lock = `${path}.lock`;
  const other = `${hostname()} ${process.pid} other`;
  writeFileSync(lock, 'elsewhere 1 x');
  utimesSync(lock, 0, 0);
  vi.mocked(renameSync).mockImplementationOnce((from, to) => {
    writeFileSync(lock, other);
    rename(from, to);
  });
  expect(() => withFileLock(path, () => 'mine')).toThrow(Locked);
  expect(readFileSync(lock, 'utf8')).toBe(other);
  rmSync(lock);
  expect(withFileLock(path, () => 'mine')).toBe('mine');
});

it('[AU17] a lock of another process does not block the event loop', async () => {
  writeFileSync(`${path}.lock`, `${hostname()} ${process.ppid} another`);
  const made = onceUnlocked(() => withFileLock(path, () => 'made'));
  expect(made).toBeInstanceOf(Promise);
  let isMade = false;
  const reported = Promise.resolve(made).then(() => (isMade = true));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(isMade).toBe(false);
  rmSync(`${path}.lock`);
  await reported;
  expect(await made).toBe('made');
  expect(existsSync(`${path}.lock`)).toBe(false);
});

it('[AU17] onceUnlocked fails after ten seconds with an error that names the lock', async () => {
  const lock = `${path}.lock`;
  const busy = (): string => {
    throw new Locked(`${path} is being changed by another process (${lock})`);
  };
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 4000));
  await expect(onceUnlocked(busy)).rejects.toThrow(lock);
});

it('onceUnlocked returns at once without a lock, and rethrows any other error at once', () => {
  expect(onceUnlocked(() => 7)).toBe(7);
  expect(() =>
    onceUnlocked(() => {
      throw new Error('full');
    }),
  ).toThrow('full');
});

it('[AU17] an empty lock file, which a full disk leaves behind, is removed, and one with a holder is not', () => {
  const lock = `${path}.lock`;
  for (const [content, isLeft] of [
    ['', false],
    ['another holder', true],
  ] as const) {
    vi.mocked(writeFileSync).mockImplementationOnce((file) => {
      write(file, content);
      throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
    });
    expect(() => withFileLock(path, () => 'mine')).toThrow('ENOSPC');
    expect(existsSync(lock)).toBe(isLeft);
    rmSync(lock, { force: true });
  }
  vi.mocked(writeFileSync).mockImplementationOnce(() => {
    throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
  });
  expect(() => withFileLock(path, () => 'mine')).toThrow('EMFILE');
});

it('[AU17] a holder that runs as another user counts as alive', () => {
  const lock = `${path}.lock`;
  writeFileSync(lock, `${hostname()} 12345 x`);
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
  });
  expect(() => withFileLock(path, () => 'mine')).toThrow(Locked);
  kill.mockImplementation(() => {
    throw Object.assign(new Error('ESRCH'), { code: 'ESRCH' });
  });
  expect(withFileLock(path, () => 'mine')).toBe('mine');
  expect(kill).toHaveBeenCalledWith(12345, 0);
});
