// Finding a process by a word, and shortening keys to a unique length.
import { describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../protocol/console.ts';
import { CommandFailed } from './exit-codes.ts';
import { findProcess, shortKeyLength } from './find-process.ts';

const RUNNING = {
  label: null,
  argv: ['sleep', '1'],
  state: 'running',
} as const;

const info = (key: string, changes: Partial<ProcessInfo> = {}): ProcessInfo =>
  ({ ...RUNNING, key, ...changes }) as unknown as ProcessInfo;

describe('findProcess', () => {
  const web = info('aaaa1111', { label: 'web' });
  const oldWeb = info('aaaa2222', { label: 'web', state: 'closed', exitCode: 1 });
  const other = info('bbbb3333');
  const prefix = info('aaaa');
  const all = [oldWeb, web, other];

  it.each([
    ['bbbb3333', all, other],
    ['b', all, other],
    ['web', all, web],
    ['aaaa2222', all, oldWeb],
    ['aaaa', all, web],
    ['aaaa', [...all, prefix], prefix],
    ['web', [oldWeb], oldWeb],
  ])('finds a process by %s', (word, processes, meant) => {
    expect(findProcess(processes, word)).toBe(meant);
  });

  it.each([
    ['nothing', all, /no process has the label "nothing" or a key that begins with it/],
    ['\u001b[2J', all, /the label "\\x1b\[2J"/],
    [
      'a',
      [web, info('abcd', { label: 'two\nlines' })],
      /"a" matches several processes; use more characters of the key:\n {2}aaaa1111 {2}\[web\] sleep 1\n {2}abcd {2}\[two\\nlines\]/,
    ],
  ])('rejects %j', (word, processes, message) => {
    expect(() => findProcess(processes, word)).toThrow(CommandFailed);
    expect(() => findProcess(processes, word)).toThrow(message);
  });

  it('lists a limited number of matches', () => {
    const many = Array.from({ length: 15 }, (_, n) => info(`same${n}`));
    expect(() => findProcess(many, 'same')).toThrow(/same9 .*\n {2}and 5 more$/);
  });
});

it.each([
  [[], 8],
  [['abcdefghijkl', 'xbcdefghijkl'], 8],
  [['abcdefghXjkl', 'abcdefghYjkl'], 9],
])('the keys %j are shortened to %i characters', (keys, length) => {
  expect(shortKeyLength(keys)).toBe(length);
});
