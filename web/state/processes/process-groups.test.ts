// Processes by starter: groups, threads, their places, and the session text.
import { describe, expect, it } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { FAILED, processInfo, TERMINATED } from '../../../protocol/testing/process-info.ts';
import {
  groupProcesses,
  groupTitles,
  sessionText,
  starterName,
  type KnownSession,
} from './process-groups.ts';

const process = (key: string, given: Partial<ProcessInfo> = {}): ProcessInfo =>
  processInfo({ key, ...given });

const session = (given: Partial<KnownSession> = {}): KnownSession => ({
  label: 's1',
  clientName: 'codex',
  startedBy: 'agent',
  attached: true,
  connectedAtMs: 100,
  detachedAtMs: null,
  expiresAtMs: null,
  processCount: 1,
  isOver: false,
  ...given,
});

it.each([
  [{ session: 's1', startedBy: 'agent' }, 'Codex'],
  [{ session: 'gone', startedBy: 'agent' }, 'agent'],
  [{ session: 'console', startedBy: 'cli' }, 'cli'],
])('starterName of %j is %s', (given, name) => {
  const sessions = { s1: session(), console: session({ label: 'console', clientName: 'console' }) };
  expect(starterName(process('a', given), sessions)).toBe(name);
});

describe('groupProcesses', () => {
  it('makes one group per session, by its client’s name, and one per person who starts processes from the console', () => {
    const processes = [
      process('a'),
      process('b', { session: 'console', startedBy: 'page' }),
      process('c', { session: 'console', startedBy: 'cli' }),
      process('d', { session: 's2', startedBy: 'token file' }),
    ];
    const groups = groupProcesses(processes, groupTitles(processes, { s1: session() }));
    expect(groups.map(({ title, session: label }) => [title, label])).toEqual([
      ['Codex', 's1'],
      ['page', null],
      ['cli', null],
      ['token file', 's2'],
    ]);
  });

  it('separates an agent’s threads, in the given order, and counts statuses', () => {
    const [group] = groupProcesses(
      [
        process('a', { metadata: { threadId: 't1' } }),
        process('b', { waitsForInput: true }),
        process('c', { metadata: { threadId: 't1' }, ...FAILED }),
        process('d', TERMINATED),
      ],
      new Map(),
    );
    expect(group?.rows.running).toEqual([
      { thread: 't1', parent: null, keys: ['a', 'c'] },
      { thread: null, parent: null, keys: ['b', 'd'] },
    ]);
    expect([group?.running, group?.waiting, group?.failed, group?.total]).toEqual([1, 1, 1, 4]);
  });

  it('distinguishes groups of the same name by tokens, otherwise by folders, otherwise by connection times', () => {
    const titles = (...given: Partial<ProcessInfo>[]): string[] => [
      ...groupTitles(
        given.map((each, i) => process(`p${i}`, { session: `s${i}`, ...each })),
        { s0: session(), s1: session({ label: 's1', connectedAtMs: 60_000 }) },
      ).values(),
    ];
    expect(titles({}, { session: 's9' })).toEqual(['Codex', 'agent']);
    expect(titles({ startedBy: 'ci' }, { startedBy: 'Ada' })).toEqual(['Codex · ci', 'Codex · Ada']);
    expect(titles({ cwd: '/projects/shop' }, { cwd: '/projects/api/' })).toEqual([
      'Codex · shop',
      'Codex · api',
    ]);
    const [one, other] = titles({}, {});
    expect(one).toMatch(/^Codex · \d/);
    expect(other).not.toBe(one);
  });

  it('places each group where its first process is', () => {
    const groups = groupProcesses(
      [process('a', { session: 's2' }), process('b'), process('c', { session: 's2' })],
      new Map(),
    );
    expect(groups.map(({ id }) => id)).toEqual(['s2', 's1']);
  });
});

describe('sessionText', () => {
  it.each([
    ['nothing while it is connected', session(), 200, null],
    ['that the agent reconnected to its earlier processes', session(), 50, 'reconnected'],
    [
      'how long a disconnected one waits for its return',
      session({ attached: false, detachedAtMs: 7, expiresAtMs: 80_000 }),
      200,
      'disconnected · ends in 1m 08s',
    ],
    ['that it is over', session({ isOver: true }), 200, 'session ended'],
    ['that it is over when it is unknown', undefined, 200, 'session ended'],
  ])('states %s', (_, known, oldest, text) => expect(sessionText(known, oldest, 12_000)).toBe(text));
});
