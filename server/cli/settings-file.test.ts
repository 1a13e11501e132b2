// Settings files: their mode, and folders to which others can write: rules CN1 and CN2.
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomId } from '../host/random-id.ts';
import { CommandFailed } from './exit-codes.ts';
import { readSettings, realOf, writeSettings } from './settings-file.ts';

vi.mock('../host/random-id.ts', { spy: true });

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  path = join(folder, 'settings.json');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

it('[CN2] a file with a token is readable by its owner only, and leaves nothing else behind', () => {
  writeSettings(path, 'a token', 0o600);
  writeSettings(path, 'another token', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('another token');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

it('[CN1] nothing is written through a link that another program left in the folder, even at the right name', () => {
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'mine');
  // An attacker may know the PID and every constant part of the name.
  symlinkSync(victim, `${path}.${process.pid}.new`);
  writeSettings(path, 'settings', 0o600);
  expect(lstatSync(path).isFile()).toBe(true);
  vi.mocked(randomId).mockReturnValue('guessed');
  symlinkSync(victim, `${path}.guessed.new`);
  expect(() => writeSettings(path, 'more', 0o600)).toThrow(CommandFailed);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readFileSync(path, 'utf8')).toBe('settings');
});

it('[CN1] the user’s own links and folders are followed, even where others can write to the folder', () => {
  const own = join(folder, 'own');
  symlinkSync('own', join(folder, 'link'));
  chmodSync(folder, 0o777);
  const way = join(folder, 'link', 'new', '..', 'new', 'settings.json');
  mkdirSync(join(own, 'new'), { recursive: true });
  expect(realOf(way)).toBe(join(realOf(own), 'new', 'settings.json'));
  writeSettings(way, 'settings', 0o640);
  expect(readSettings(way)).toEqual({ text: 'settings', mode: 0o640 });
  expect(realOf(join(folder, 'link', 'missing', 'a'))).toBe(join(realOf(own), 'missing', 'a'));
  expect(readSettings(join(folder, 'link', 'missing', 'a'))).toBeNull();
  symlinkSync('circle', join(folder, 'circle'));
  expect(() => readSettings(join(folder, 'circle'))).toThrow('too many links');
});

describe.runIf(process.getuid?.() === 0)('Settings that another user left', () => {
  const OTHER = 1234;
  const REFUSED =
    /(?:read|written): the (?:link|folder|file) \S+ belongs to user 1234, and other users can write to \S+; choose a file/;
  let victim: string;
  beforeEach(() => {
    victim = join(folder, 'victim');
    writeFileSync(victim, '{}');
  });

  /** Returns the path that `left` creates for another user in a new folder with this mode and owner. */
  function leftIn(mode: number, left: (shared: string) => string, owner = 0): string {
    const shared = join(folder, 'shared');
    mkdirSync(shared);
    const found = left(shared);
    lchownSync(found, OTHER, OTHER);
    chmodSync(shared, mode);
    chownSync(shared, owner, owner);
    return found;
  }

  const file = (shared: string): string => {
    writeFileSync(join(shared, 'settings.json'), '{}');
    return join(shared, 'settings.json');
  };
  const link = (shared: string): string => {
    symlinkSync(victim, join(shared, 'settings.json'));
    return join(shared, 'settings.json');
  };
  const linkedFolder = (shared: string): string => {
    symlinkSync(folder, join(shared, 'link'));
    return join(shared, 'link');
  };
  const innerFolder = (shared: string): string => {
    mkdirSync(join(shared, 'inner'));
    return join(shared, 'inner');
  };

  it.each([
    ['file', file, ''],
    ['link', link, ''],
    ['link to a folder', linkedFolder, '/victim'],
    ['folder', innerFolder, '/settings.json'],
  ] as const)('[CN1] are refused in a folder to which others can write: a %s', (_, left, rest) => {
    for (const [mode, owner] of [
      [0o1777, 0],
      [0o775, 0],
      [0o755, OTHER],
    ] as const) {
      const path = leftIn(mode, left, owner) + rest;
      expect(() => writeSettings(path, 'a token', 0o600)).toThrow(REFUSED);
      if (rest !== '/settings.json') expect(() => readSettings(path)).toThrow(REFUSED);
      expect(realOf(path)).toBe(path);
      expect(readFileSync(victim, 'utf8')).toBe('{}');
      rmSync(join(folder, 'shared'), { recursive: true });
    }
  });

  it('[CN1] are overwritten in the user’s own folder, and then belong to the user', () => {
    const given = leftIn(0o755, file);
    writeSettings(given, 'a token', 0o600);
    expect(lstatSync(given)).toMatchObject({ uid: 0, gid: 0 });
    chownSync(given, 0, OTHER);
    writeSettings(given, 'no token', 0o640);
    expect(lstatSync(given)).toMatchObject({ uid: 0, gid: OTHER });
  });

  it.runIf(process.platform === 'linux')(
    '[CN1] a folder that is replaced after it was checked does not redirect the file',
    () => {
      const path = join(folder, 'shared', 'settings.json');
      leftIn(0o777, innerFolder);
      vi.mocked(randomId).mockImplementation(() => {
        renameSync(join(folder, 'shared'), join(folder, 'moved'));
        symlinkSync(join(folder, 'elsewhere'), join(folder, 'shared'));
        return 'id';
      });
      mkdirSync(join(folder, 'elsewhere'));
      writeSettings(path, 'a token', 0o600);
      expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
      expect(readFileSync(join(folder, 'moved', 'settings.json'), 'utf8')).toBe('a token');
    },
  );
});
