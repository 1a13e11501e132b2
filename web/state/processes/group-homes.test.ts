// Sessions of one agent that form one group, and threads of sub-agents below the thread that started them.
import { describe, expect, it } from 'vitest';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { homeOf, homesOf } from './group-homes.ts';
import { groupProcesses, groupTitles, sessionOf } from './process-groups.ts';
import { listItems } from './list-items.ts';
import { listingOf } from './listing.ts';
import { parseFilter } from './process-filter.ts';

/** Returns a process in this session; `threads`: its thread, and the parent of its thread. */
const run = (session: string, startedAtMs: number, threads: readonly string[] = [], startedBy = 'bot') => {
  const [threadId, parentThreadId] = threads;
  const metadata = { ...(threadId && { threadId }), ...(parentThreadId && { parentThreadId }) };
  return processInfo({ key: `${session}-${startedAtMs}`, session, startedBy, startedAtMs, metadata });
};

const homes = (...processes: readonly ReturnType<typeof run>[]): readonly string[] => {
  const found = homesOf(processes);
  return processes.map((info) => homeOf(found, info));
};

describe('homesOf', () => {
  it('joins sessions in which one agent runs the same thread, under the oldest one', () => {
    expect(homes(run('s2', 2, ['t']), run('s1', 1, ['t']), run('s3', 3, ['t']))).toEqual(['s1', 's1', 's1']);
  });

  it('joins the sessions of sub-agents, of any depth and in any order, to that of their thread', () => {
    const all = [
      run('s4', 1, ['c', 'b']),
      run('s2', 2, ['b', 'a']),
      run('s1', 3, ['a']),
      run('s3', 4, ['d', 'a']),
    ];
    expect(new Set(homes(...all))).toEqual(new Set(['s4']));
  });

  it('keeps other agents, other threads and processes without a thread apart', () => {
    const all = [
      run('s1', 1, ['t']),
      run('s2', 2, ['t'], 'other'),
      run('s3', 3, ['u']),
      run('s4', 4),
      run('s5', 5),
    ];
    expect(homes(...all)).toEqual(['s1', 's2', 's3', 's4', 's5']);
    const own = [run('console', 1, ['t'], 'ann'), run('console', 2, ['t'], 'bob')];
    expect(homes(...own)).toEqual(['console ann', 'console bob']);
  });
});

describe('a group of several sessions', () => {
  const all = [run('s1', 1, ['t']), run('s2', 2, ['t'])];

  it('has one title, which all of its sessions share', () => {
    const titles = groupTitles(all, {}, homesOf(all));
    expect([...titles]).toEqual([
      ['s1', 'bot'],
      ['s2', 'bot'],
    ]);
    expect(groupProcesses(all, titles, undefined, homesOf(all))).toMatchObject([
      { id: 's1', title: 'bot', total: 2 },
    ]);
  });

  it('reports a session that is over only while it has running processes', () => {
    const [group] = groupProcesses(all, new Map(), undefined, homesOf(all));
    if (!group) throw new Error('invariant violation: no group');
    expect(sessionOf(group, {})).toBeUndefined();
    expect(sessionOf({ ...group, running: 0, waiting: 0 }, {})).toBeNull();
  });
});

describe('threads of sub-agents', () => {
  const all = [
    run('s1', 5, ['other']),
    run('s2', 4, ['child', 'main']),
    run('s3', 3, ['grandchild', 'child']),
    run('s1', 2, ['main']),
    run('s1', 1),
  ];

  const rows = (processes: typeof all) => {
    const listed = { processes, agents: new Map(), homes: homesOf([...all, run('s1', 0, ['main'])]) };
    const rest = {
      seen: { ids: new Set<string>(), untilMs: 0 },
      isMoreOpen: false,
      isFiltered: false,
      hasCard: false,
    };
    return listItems(listingOf({ ...listed, ...rest }), []).flatMap((item) =>
      item.kind === 'thread' ? [`${item.level} ${item.thread} < ${item.parent}`] : [],
    );
  };

  it('are right below the thread that started them, one level deeper', () => {
    const under = rows(all);
    const at = under.indexOf('2 main < null');
    expect(under.slice(at, at + 3)).toEqual(['2 main < null', '3 child < main', '4 grandchild < child']);
    expect(under).toContain('2 other < null');
    expect(under).toHaveLength(5);
  });

  it('are at the top level when the thread that started them has no rows', () => {
    expect(rows([run('s2', 4, ['child', 'main'])])).toEqual(['2 child < null']);
  });

  it('are all listed when they name each other as parents', () => {
    expect(rows([run('s1', 2, ['a', 'b']), run('s1', 1, ['b', 'a'])])).toHaveLength(2);
  });

  it('are found by the thread that started them, and by agent version and model', () => {
    const origin = { clientName: '', threadTitle: '', isLeft: false };
    const child = run('s2', 4, ['child', 'main']);
    const detailed = { ...child, metadata: { ...child.metadata, agentVersion: '2.1.332', model: 'opus-5' } };
    const matches = (filter: string) => parseFilter(filter)(detailed, origin);
    expect(['thread:main', 'thread:child', 'agent:2.1.332', 'model:opus'].map(matches)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['thread:other', 'model:gpt', 'agent:opus'].map(matches)).toEqual([false, false, false]);
  });
});
