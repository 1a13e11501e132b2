// Short names that still distinguish processes of the same program.
import { expect, it } from 'vitest';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import {
  commandTitles,
  distinctions,
  processTitle,
  tightTitleAmong,
  titleAmong,
  titlesOf,
} from './process-title.ts';

it('the title of a long command ends with a whole character', () => {
  expect(processTitle(processInfo({ argv: ['sh', '-c', `x${'\u{1f389}'.repeat(300)}`] }))).toBe(
    `x${'\u{1f389}'.repeat(199)}`,
  );
});

it('titles of commands with the same beginning show the difference while both are listed', () => {
  const of = (key: string, script: string) => processInfo({ key, argv: ['bash', '-lc', script] });
  const [one, other] = [of('a', 'cd /tmp && echo running one'), of('b', 'cd /tmp && echo running two')];
  expect(titleAmong({ a: one, b: other }, one)).toBe('cd… echo running one');
  expect(titleAmong({ a: one }, one)).toBe('cd /tmp && echo running one');
  expect(titleAmong({ a: one, b: other }, { ...one, label: 'first' })).toBe('first');
  expect(tightTitleAmong({ a: one, b: other }, one)).toBe('cd… one');
  expect(tightTitleAmong({ a: one, b: other }, { ...one, label: 'first' })).toBe('first');
  const command = {
    whole: 'cd /tmp && echo running one',
    cut: 'cd… echo running one',
    tight: 'cd… one',
  };
  const labelled = { ...one, label: 'first' };
  expect(titlesOf({ a: one, b: other }, one)).toEqual(command);
  expect(commandTitles({ a: labelled, b: other }, labelled.argv)).toEqual(command);
  expect(titlesOf({ a: labelled, b: other }, labelled)).toEqual({
    whole: 'first',
    cut: 'first',
    tight: 'first',
  });
});

it('a label replaces the title', () => {
  expect(processTitle({ label: 'front end', argv: ['npm', 'run', 'dev'] })).toBe('front end');
});

it('equal commands are distinguished by their folders, otherwise by their PIDs', () => {
  const of = (key: string, argv: string[], cwd: string, pid = 1) => processInfo({ key, argv, cwd, pid });
  const found = distinctions([
    of('a', ['bash'], '/projects/shop'),
    of('b', ['/bin/bash'], '/projects/api/'),
    of('c', ['sleep', '1'], '/repo', 7),
    of('d', ['sleep', '1'], '/repo', 8),
    of('e', ['sleep', '2'], '/repo', 9),
  ]);
  expect([...found]).toEqual([
    ['a', 'shop'],
    ['b', 'api'],
    ['c', 'PID 7'],
    ['d', 'PID 8'],
  ]);
});
