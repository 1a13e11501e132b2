// Settings files in folders to which others can write: rules CN1 and CN2.
import {
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { randomId } from '../host/random-id.ts';
import { CommandFailed } from './exit-codes.ts';
import { writeSettings } from './settings-file.ts';

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
  // The pid and every part of the name that does not change may be known.
  symlinkSync(victim, `${path}.${process.pid}.new`);
  writeSettings(path, 'settings', 0o600);
  expect(lstatSync(path).isFile()).toBe(true);
  vi.mocked(randomId).mockReturnValue('guessed');
  symlinkSync(victim, `${path}.guessed.new`);
  expect(() => writeSettings(path, 'more', 0o600)).toThrow(CommandFailed);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readFileSync(path, 'utf8')).toBe('settings');
});
