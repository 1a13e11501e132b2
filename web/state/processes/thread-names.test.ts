// A thread is named by its first command and start time, never by its generated id.
import { expect, it } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { isNamedAfter, originIn, threadName } from './thread-names.ts';

const UUID = '0198f3a2-7c1e-7d3b-9d55-3b6f0f5b1c11';
const at = (hours: number, minutes: number): number => new Date(2026, 4, 1, hours, minutes).getTime();
const process = (key: string, startedAtMs: number, more: Partial<ProcessInfo> = {}): ProcessInfo =>
  processInfo({ key, startedAtMs, metadata: { threadId: UUID }, ...more });
const listed = (...infos: readonly ProcessInfo[]) =>
  Object.fromEntries(infos.map((info) => [info.key, info]));

it('a thread’s name is its first command and that command’s start time', () => {
  const processes = listed(
    process('b', at(22, 5), { argv: ['git', 'status'] }),
    process('a', at(21, 47), { argv: ['npm', 'test'] }),
    process('other', at(9, 3), { startedBy: 'other', argv: ['/usr/bin/sh', '-c', 'make\nall'] }),
  );
  expect(threadName(processes, UUID, processes['a']?.startedBy)).toEqual({
    words: 'npm test',
    clock: '21:47',
  });
  expect(threadName(processes, UUID, 'other')).toEqual({ words: 'make\\nall', clock: '09:03' });
  expect(threadName(processes, UUID)?.clock).toBe('09:03');
  expect(threadName(processes, 'unknown')).toBeNull();
});

it('a thread’s name is shortened to fit a heading, and hidden characters are escaped', () => {
  const { words = '' } =
    threadName(listed(process('a', 0, { argv: ['echo', '\u202e'.padEnd(99, 'x')] })), UUID) ?? {};
  expect(words.length).toBeLessThanOrEqual(41);
  expect(words).not.toContain('\u202e');
});

it('isNamedAfter is true only for the command that gave the thread its name', () => {
  const first = process('a', at(21, 47), { argv: ['echo', 'x'.repeat(99)] });
  const processes = listed(first, process('b', at(22, 5), { argv: ['git', 'status'] }));
  const name = threadName(processes, UUID) ?? { words: '' };
  expect(isNamedAfter(name, first)).toBe(true);
  expect(isNamedAfter(name, process('b', 0, { argv: ['git', 'status'] }))).toBe(false);
});

it('the filter finds each process of a thread by the thread’s full name', () => {
  const long = `echo ${'x'.repeat(60)} end`;
  const processes = listed(
    process('b', at(22, 5), { argv: ['git', 'status'] }),
    process('a', at(21, 47), { argv: ['sh', '-c', long] }),
    process('other', at(9, 3), { session: 's2', startedBy: 'other', argv: ['make'] }),
    process('alone', at(9, 3), { metadata: {} }),
  );
  const originOf = originIn({
    processes,
    sessions: { s1: { clientName: 'codex', detachedAtMs: null } as never },
  });
  const origins = Object.values(processes).map((info) => originOf(info));
  expect(origins).toEqual([
    { isLeft: false, clientName: 'codex', threadTitle: long },
    { isLeft: false, clientName: 'codex', threadTitle: long },
    { isLeft: true, clientName: '', threadTitle: 'make' },
    { isLeft: false, clientName: 'codex', threadTitle: '' },
  ]);
});
