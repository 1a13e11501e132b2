// Entries of the audit log in words, including names that imitate something else.
import { expect, it } from 'vitest';
import type { AuditEntry } from '../../../protocol/audit.ts';
import { ACTS, actWords } from './act-words.ts';

const wordsOf = (act: string, more: Partial<AuditEntry> = {}): string =>
  actWords({
    number: 1,
    atMs: 0,
    who: 'Ada',
    role: 'operator',
    token: 't',
    connection: 'c',
    from: '127.0.0.1:1',
    act,
    key: 'k',
    ...more,
  });

it.each([
  ['start', { details: { argv: ['npm', 'run', 'it all'] } }, "started npm run 'it all'"],
  ['input', { bytes: 9 }, 'typed 9 bytes'],
  ['resize', { details: { rows: 30, cols: 90 } }, 'resized the terminal to 90×30'],
  ['terminate', { details: { running: true } }, 'terminated the process'],
  ['refused', { details: { method: 'process/write' } }, 'was refused: process/write'],
  [
    'refused',
    { details: { reason: 'the Host header does not name this gateway', path: '/' } },
    'was refused: the Host header does not name this gateway, at /',
  ],
  ['failed', { details: { method: 'fs/copy' } }, 'tried fs/copy, which failed'],
  [
    'failed',
    { details: { method: 'process/start', reason: 'no\u001b' } },
    'tried process/start, which failed: no\\x1b',
  ],
  ['pause', { details: { agent: null } }, 'paused all agents'],
  ['pause', { details: { agent: 'codex' } }, 'paused codex'],
  ['pause', { details: { agent: 'codex', session: 's1' } }, 'paused the session s1 of codex'],
  ['pause', { details: { agent: 'codex', session: 's1', thread: 't1' } }, 'paused the thread t1 of codex'],
  ['share', { key: null }, 'shared the console'],
  ['pin', {}, 'kept the process running beyond its session'],
  ['unpin', {}, 'let the process end with its session'],
  ['removeHistory', { details: { agent: 'ci', removed: 2 } }, 'removed 2 recordings'],
  ['signIn', { details: { share: 'x' } }, 'opened a share link'],
  ['yodel', {}, 'yodel'],
])('the act %s with %j reads “%s”', (act, more, words) => {
  expect(wordsOf(act, more)).toBe(words);
});

it('hidden characters are escaped', () => {
  expect(wordsOf('writeFile', { details: { path: 'a\u202eb\u001b[2J' } })).toBe('wrote a\\u202eb\\x1b[2J');
  expect(wordsOf('a\u0007b')).toBe('a\\x07b');
});

it('every act has words, whatever details are missing', () => {
  for (const { act, name } of ACTS) {
    expect(name).not.toBe('');
    expect(wordsOf(act)).not.toMatch(/undefined|null/);
  }
});
