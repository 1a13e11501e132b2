// Who started what: groups, threads, the order in them, the filter's words, and what is said of a session.
import { describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { filterWord, parseFilter } from './process-filter.ts';
import { groupProcesses, inOrder, sessionText, type KnownSession } from './process-groups.ts';

const process = (key: string, given: Partial<ProcessInfo> = {}): ProcessInfo =>
  ({
    key,
    session: 's1',
    startedBy: 'agent',
    argv: ['npm', 'test'],
    cwd: '/repo',
    label: null,
    metadata: {},
    state: 'running',
    exitCode: null,
    signal: null,
    terminatingSinceMs: null,
    startedAtMs: 0,
    ...given,
  }) as ProcessInfo;

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

const failed = { state: 'closed', exitCode: 1 } as const;

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
        process('c', { metadata: { threadId: 't1' }, ...failed }),
      ],
      {},
    );
    expect(group?.threads).toEqual([
      { thread: 't1', keys: ['a', 'c'] },
      { thread: null, keys: ['b'] },
    ]);
    expect([group?.running, group?.failed, group?.total]).toEqual([2, 1, 3]);
  });

  it('puts groups in which something runs before those in which nothing does', () => {
    const groups = groupProcesses([process('a', failed), process('b', { session: 's2' })], {});
    expect(groups.map(({ id }) => id)).toEqual(['s2', 's1']);
  });
});

it('orders the live before the finished, and the newest first', () => {
  const processes = [
    process('old', { startedAtMs: 1 }),
    process('done', { ...failed, startedAtMs: 9 }),
    process('new', { startedAtMs: 5 }),
  ];
  expect(inOrder(processes).map(({ key }) => key)).toEqual(['new', 'old', 'done']);
});

describe('parseFilter', () => {
  const info = process('a', {
    label: 'Build',
    metadata: { threadId: 'T-1', toolCallId: 'call_1' },
    argv: ['make', 'all'],
    ...failed,
  });
  const matches = (text: string): boolean => parseFilter(text)(info, { clientName: 'Codex' });

  it.each(['', 'make', 'BUILD all', 'agent:codex', 'agent:agent', 'thread:t-1', 'call:call_1 state:failed'])(
    'finds it by %j',
    (text) => expect(matches(text)).toBe(true),
  );
  it.each(['cargo', 'agent:make', 'thread:t-2', 'label:build state:running', 'folder:codex', 'url:x'])(
    'does not find it by %j',
    (text) => expect(matches(text)).toBe(false),
  );
  it('finds what a word for a place was made of', () => {
    expect(matches(filterWord('thread', 'T-1'))).toBe(true);
  });
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
