// Tests of refusals of a state folder, and of writes of private files.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { isOwn } from '../host/account.ts';
import { openStateDir, writePrivateFile } from './state-dir.ts';
import { readTokenFile } from './token-file.ts';

vi.mock('../host/account.ts', { spy: true });

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'exec-console-state-'));
  return () => rmSync(dir, { recursive: true });
});

it('[AU20] a state folder that is a file, or below one, is refused with the reason', () => {
  const path = join(dir, 'file');
  writeFileSync(path, '');
  for (const wrong of [path, join(path, 'below')])
    expect(() => openStateDir(wrong)).toThrow(`cannot use the state folder ${wrong}: it is not a folder`);
  expect(() => openStateDir('/proc/none/of/this')).toThrow(
    'cannot use the state folder /proc/none/of/this: it cannot be created there; choose another folder with --state-dir',
  );
});

it('[AU20] a state folder and a token file of another user are refused', () => {
  const path = join(dir, 'token');
  writeFileSync(path, 'a'.repeat(32), { mode: 0o600 });
  vi.mocked(isOwn).mockReturnValue(false);
  expect(() => openStateDir(dir)).toThrow(`the state folder ${dir} belongs to another user`);
  expect(() => readTokenFile(path)).toThrow(`the token file ${path} belongs to another user`);
  vi.mocked(isOwn).mockReset();
});

it('[AU20] a state folder that others may only search is refused too, with its mode', () => {
  const path = join(dir, 'open');
  mkdirSync(path);
  chmodSync(path, 0o701);
  expect(() => openStateDir(path)).toThrow(`accessible to other users (mode 701); run: chmod 700 ${path}`);
});

it('a private file is written whole or not at all', () => {
  const path = join(dir, 'file');
  writePrivateFile(path, 'one');
  writePrivateFile(path, 'two');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['two', 0o600]);
  const folder = join(dir, 'folder');
  mkdirSync(join(folder, 'x'), { recursive: true });
  expect(() => writePrivateFile(folder, 'three')).toThrow();
  // The error of the write is reported, not one of the removal of a temporary file that does not exist.
  expect(() => writePrivateFile(join(dir, 'none', 'x'), '')).toThrow('ENOENT');
  expect(readdirSync(dir).toSorted()).toEqual(['file', 'folder']);
});

it('[AU20] a token file is created once, and the error for an empty one names it', () => {
  const path = join(dir, 'empty');
  writeFileSync(path, '\n', { mode: 0o600 });
  expect(() => readTokenFile(path)).toThrow(`the token file ${path} is empty`);
  expect(() => readTokenFile(join(dir, 'none', 'x'))).toThrow(
    `cannot use the token file ${join(dir, 'none', 'x')}: its folder does not exist; create it first`,
  );
  expect(() => readTokenFile(dir)).toThrow(`cannot use the token file ${dir}: it is a folder; name a file`);
});
