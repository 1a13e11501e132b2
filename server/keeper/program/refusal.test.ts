// Tests of the keeper's refusals when a log file cannot be created: rule KP20.
import { expect, it } from 'vitest';
import { refusalOf } from './refusal.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: open`), { code });

it.each([
  ['ENOSPC', 'free some space on the disk of the state folder'],
  ['EDQUOT', "free some space in the state folder, or raise the user's disk quota"],
  ['EMFILE', 'raise the limit of open files, ulimit -n, or end some processes'],
  ['ENFILE', 'raise fs.file-max, or end some processes'],
])('[KP20] the refusal of a start after %s gives the remedy', (code, remedy) => {
  const starved = `process logs cannot be written: ${code}: open (${remedy})`;
  const message = `cannot start the process: ${starved}`;
  expect(refusalOf(failure(code))).toEqual({ message, starved, isUnlogged: true });
});

it('[KP20] the refusal of a start after another failure has its message', () => {
  const message = 'cannot start the process: process logs cannot be written: EACCES: open';
  expect(refusalOf(failure('EACCES'))).toEqual({ message, starved: null });
});
