// Who started what: groups, threads, where they stand, and what is said of a session.
import { describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { FAILED, processInfo, TERMINATED } from '../testing/process-info.ts';
import { groupProcesses, heldStill, sessionText, type KnownSession } from './process-groups.ts';

const process = (key: string, given: Partial<ProcessInfo> = {}): ProcessInfo =>
  processInfo({ key, ...given });

const session = (given: Partial<KnownSession> = {}): KnownSession => ({
  label: 's1',
  clientName: 'codex',
  startedBy: 'agent',
  attached: true,
  connectedAtMs: 100,
  detachedAtMs: null,
  processCount: 1,
  isOver: false,
  ...given,
});

describe('groupProcesses', () => {
  it('makes one group of each session, by its client’s name, and one of each who starts from the console', () => {
    const groups = groupProcesses(
      [
        process('a'),
        process('b', { session: 'console', startedBy: 'page' }),
        process('c', { session: 'console', startedBy: 'cli' }),
        process('d', { session: 's2', startedBy: 'token file' }),
      ],
      { s1: session() },
    );
    expect(groups.map(({ title, session: label }) => [title, label])).toEqual([
      ['codex', 's1'],
      ['page', null],
      ['cli', null],
      ['token file', 's2'],
    ]);
  });

  it('keeps an agent’s threads apart, in the order given, and counts', () => {
    const [group] = groupProcesses(
      [
        process('a', { metadata: { threadId: 't1' } }),
        process('b'),
        process('c', { metadata: { threadId: 't1' }, ...FAILED }),
        process('d', TERMINATED),
      ],
      {},
    );
    expect(group?.threads).toEqual([
      { thread: 't1', keys: ['a', 'c'] },
      { thread: null, keys: ['b', 'd'] },
    ]);
    expect([group?.running, group?.failed, group?.total]).toEqual([2, 1, 4]);
  });

  it('stands where its first process does', () => {
    const groups = groupProcesses(
      [process('a', { session: 's2' }), process('b'), process('c', { session: 's2' })],
      {},
    );
    expect(groups.map(({ id }) => id)).toEqual(['s2', 's1']);
  });
});

it('keeps groups, threads and processes where they stood, whatever comes and ends', () => {
  const thread = (threadId: string, more: Partial<ProcessInfo> = {}) => ({ metadata: { threadId }, ...more });
  const before = groupProcesses(
    [
      process('a', thread('t1')),
      process('b', thread('t1')),
      process('c', thread('t2')),
      process('d', { session: 's2' }),
    ],
    {},
  );
  const now = groupProcesses(
    [
      process('e', { session: 's2', ...FAILED }),
      process('d', { session: 's2' }),
      process('f', thread('t2')),
      process('c', thread('t2')),
      process('b', thread('t1', FAILED)),
      process('a', thread('t1')),
    ],
    {},
  );
  expect(heldStill(before, now).map(({ id, threads }) => [id, threads.flatMap(({ keys }) => keys)])).toEqual([
    ['s1', ['a', 'b', 'f', 'c']],
    ['s2', ['e', 'd']],
  ]);
  expect(heldStill(before, now)[0]?.failed).toBe(1);
});

describe('sessionText', () => {
  const since = (ms: number): string => `${ms} ms`;
  it.each([
    ['nothing while it is connected', session(), 200, null],
    ['that it came back to what it had started', session(), 50, 'reconnected'],
    ['since when it is away', session({ attached: false, detachedAtMs: 7 }), 200, 'disconnected for 7 ms'],
    ['that it is over', session({ isOver: true }), 200, 'session over'],
    ['that it is over when nobody knows it', undefined, 200, 'session over'],
  ])('says %s', (_, known, oldest, text) => expect(sessionText(known, oldest, since)).toBe(text));
});
