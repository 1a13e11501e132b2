// The path of a keeper's socket where that of the state folder is too long.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findKeeper } from '../link/keeper-start.ts';
import { foldersElsewhere, socketPath } from './place.ts';

const LONG = `/srv/${'x'.repeat(120)}`;

/** Private folder of a user ID that nobody has. */
let folder: string;
beforeEach(() => {
  const uid = 2_000_000_000 + process.pid;
  vi.spyOn(process, 'getuid').mockReturnValue(uid);
  folder = `/tmp/exec-console-${uid}`;
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it('[KP8] the socket is in a private folder of its user', () => {
  expect(dirname(socketPath(LONG))).toBe(folder);
  expect(dirname(socketPath(LONG))).toBe(folder);
});

it('[KP8] a folder that others can reach is refused', () => {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  expect(() => socketPath(LONG)).toThrow(`${folder}, which is not a private folder`);
});

it('[KP8] a link in the place of the folder is refused, even to a private one', () => {
  const own = mkdtempSync(join(tmpdir(), 'own-'));
  symlinkSync(own, folder);
  expect(() => socketPath(LONG)).toThrow(`${folder}, which is not a private folder`);
  rmSync(own, { recursive: true });
});

it('[KP25] where another user has made the folder, there is no keeper and nothing to hide', async () => {
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  expect(foldersElsewhere(LONG)).toEqual([]);
  expect(await findKeeper(LONG)).toBeNull();
});

it('[KP25] where the folder cannot be created, there is no keeper and nothing to hide', async () => {
  expect(foldersElsewhere(LONG)).toEqual(process.platform === 'linux' ? [folder] : []);
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, '');
  expect(foldersElsewhere(LONG)).toEqual([]);
  expect(await findKeeper(LONG)).toBeNull();
});
