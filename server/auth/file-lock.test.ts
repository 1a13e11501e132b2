// Who has a lock, when several break the same one.
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
import { withFileLock } from './file-lock.ts';

// As always, but where a test says otherwise.
vi.mock('node:fs', { spy: true });
const { renameSync: rename } = await vi.importActual<typeof import('node:fs')>('node:fs');

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'exec-console-lock-')), 'file');
  return () => rmSync(join(path, '..'), { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
});

it('[AU17] is given back to who took it just before it was broken, and waited for', () => {
  const lock = `${path}.lock`;
  const other = `${hostname()} ${process.pid} other`;
  writeFileSync(lock, 'elsewhere 1 x');
  utimesSync(lock, 0, 0);
  vi.mocked(renameSync).mockImplementationOnce((from, to) => {
    writeFileSync(lock, other);
    rename(from, to);
  });
  const seen: string[] = [];
  vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    seen.push(existsSync(lock) ? readFileSync(lock, 'utf8') : 'nobody');
    rmSync(lock, { force: true });
    return 'timed-out';
  });
  withFileLock(path, () => seen.push('mine'));
  expect(seen).toEqual([other, 'mine']);
});
