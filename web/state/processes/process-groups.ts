// Processes grouped by starter, and an agent's processes by thread, each in the given order.
import type { ProcessInfo, SessionInfo } from '../../../protocol/console.ts';
import { baseName } from '../../../text/command-line.ts';
import type { NeededCounts } from './process-counts.ts';
import { parentThreadOf, threadOf } from './process-filter.ts';
import { homeOf, type Homes } from './group-homes.ts';
import { inHeldOrder } from './process-order.ts';
import { clockText, leftText } from '../../../text/amounts.ts';
import { isLive, isWaiting, statusOf } from '../../../text/process-words.ts';
import { clientNameOf } from './client-name.ts';
import { agentTitle } from '../../../text/client-title.ts';

/** A session as known to the page; a session that is over remains while any of its processes is listed. */
export type KnownSession = SessionInfo & { readonly isOver: boolean };
type Sessions = { readonly [label: string]: KnownSession };

export interface ThreadOfProcesses {
  /** The agent's thread; null when it sent none. */
  readonly thread: string | null;
  /** Thread that started this one; null when there is none or it is unknown. */
  readonly parent: string | null;
  readonly keys: readonly string[];
}

/** Parts of the list, from the top; groups contain only the last three. */
export type Part = 'needing' | 'moreFailed' | 'running' | 'finished' | 'older';

export interface ProcessGroup {
  readonly id: string;
  readonly title: string;
  /** Label of the first process's session; null for processes started from a page or a terminal. */
  readonly session: string | null;
  /** Labels of all sessions of the group; empty for processes started from a page or a terminal. */
  readonly sessions: readonly string[];
  /** Rows below the group's title; processes that need attention are listed above all groups. */
  readonly rows: { readonly [part in Exclude<Part, 'needing' | 'moreFailed'>]: readonly ThreadOfProcesses[] };
  /** All processes of the group, wherever they are listed. */
  readonly threads: readonly ThreadOfProcesses[];
  /** Number of running processes that are not waiting. */
  readonly running: number;
  readonly waiting: number;
  readonly failed: number;
  readonly total: number;
  readonly oldestStartMs: number;
}

/** Processes that need attention, started by any person or agent. */
export interface Needing extends NeededCounts {
  readonly keys: readonly string[];
  /** Number of unseen failures beyond those in `keys`. */
  readonly moreFailed: number;
  /** Keys of these failures while they are unfolded at the top of the list; empty otherwise. */
  readonly unfolded: readonly string[];
}

/** Groups `processes`, which are given in order; groups and threads are placed by their first process. */
export function groupProcesses(
  processes: readonly ProcessInfo[],
  titles: ReadonlyMap<string, string>,
  partOf: (key: string) => Part = () => 'running',
  homes: Homes = new Map(),
): ProcessGroup[] {
  const standing = processes.filter(({ key }) => !['needing', 'moreFailed'].includes(partOf(key)));
  // A group whose processes are all listed at the top comes last.
  return [...byName([...standing, ...processes], (info) => homeOf(homes, info))].map(([id, twice]) => {
    const members = [...new Set(twice)];
    return groupOf(id, members, titles.get(id) ?? '', partOf);
  });
}

/** Returns the groups of `now`; groups, threads and rows that are in `held` have the order that they have there. */
export function heldStill(held: readonly ProcessGroup[], now: readonly ProcessGroup[]): ProcessGroup[] {
  const heldById = new Map(held.map((group) => [group.id, group]));
  return inHeldOrder(held, now, ({ id }) => id).map((group) => {
    const before = heldById.get(group.id);
    if (!before) return group;
    const { running, finished, older } = group.rows;
    const rows = {
      running: heldThreads(before.rows.running, running),
      finished: heldThreads(before.rows.finished, finished),
      older: heldThreads(before.rows.older, older),
    };
    return { ...group, rows };
  });
}

function heldThreads(
  held: readonly ThreadOfProcesses[],
  now: readonly ThreadOfProcesses[],
): ThreadOfProcesses[] {
  const keysBefore = new Map(held.map(({ thread, keys }) => [thread, keys]));
  return inHeldOrder(held, now, ({ thread }) => thread ?? '').map(({ thread, parent, keys }) => ({
    thread,
    parent,
    keys: inHeldOrder(keysBefore.get(thread) ?? [], keys, (key) => key),
  }));
}

/**
 * Returns the session whose state is shown for a group: an attached one, otherwise a detached one, otherwise the only
 * one, or undefined (shown as ended) if that is unknown. When several are all over, the result is undefined while a
 * process is live, otherwise null (not shown): an agent that opens one session per command has not ended between two
 * commands.
 */
export function sessionOf(
  { sessions, running, waiting }: ProcessGroup,
  known: Sessions,
): KnownSession | null | undefined {
  const all = sessions.map((label) => known[label]);
  const there = all.filter((each) => each !== undefined && !each.isOver);
  const found = there.find((each) => each?.detachedAtMs === null) ?? there[0];
  if (found || sessions.length === 1) return found ?? all[0];
  return running + waiting > 0 ? undefined : null;
}

/**
 * Returns the state of the session in words; null when it has been attached since the group's oldest process started.
 */
export function sessionText(
  session: KnownSession | undefined,
  oldestStartMs: number,
  nowMs: number,
): string | null {
  if (!session || session.isOver) return 'session ended';
  if (session.detachedAtMs !== null)
    return `disconnected${session.expiresAtMs === null ? '' : ` · ends in ${leftText(session.expiresAtMs - nowMs)}`}`;
  // An agent whose processes are older than its connection has reconnected.
  return oldestStartMs < session.connectedAtMs ? 'reconnected' : null;
}

/**
 * Returns titles by group and by each of its sessions: the starter's name and, if several groups have that name, the
 * first of token name, folder and connection time that differs in all of them, otherwise a number.
 */
export function groupTitles(
  processes: readonly ProcessInfo[],
  sessions: Sessions,
  homes: Homes = new Map(),
): ReadonlyMap<string, string> {
  const firsts = new Map<string, ProcessInfo>();
  for (const info of processes) {
    const there = firsts.get(homeOf(homes, info));
    // The oldest process determines the title, so that later ones do not change it.
    if (!there || info.startedAtMs < there.startedAtMs) firsts.set(homeOf(homes, info), info);
  }
  const nameOf = (info: ProcessInfo): string => starterName(info, sessions);
  const titles = new Map<string, string>();
  const sinceMs = ({ session, startedAtMs }: ProcessInfo): number =>
    sessions[session]?.connectedAtMs ?? startedAtMs;
  for (const [name, unordered] of byName([...firsts.values()], nameOf)) {
    const same = unordered.toSorted((a, b) => sinceMs(a) - sinceMs(b));
    const distinctive = [
      ({ startedBy }: ProcessInfo) => startedBy,
      ({ cwd }: ProcessInfo) => baseName(cwd),
      (info: ProcessInfo) => clockText(sinceMs(info), true),
    ].find((report) => new Set(same.map(report)).size === same.length);
    for (const [index, info] of same.entries()) {
      const own = distinctive ? distinctive(info) : String(index + 1);
      titles.set(homeOf(homes, info), same.length > 1 ? `${name} · ${own}` : name);
    }
  }
  for (const [session, home] of homes) titles.set(session, titles.get(home) ?? '');
  return titles;
}

function groupOf(
  id: string,
  members: readonly ProcessInfo[],
  title: string,
  partOf: (key: string) => Part,
): ProcessGroup {
  const [{ session }] = members as [ProcessInfo];
  const threadsOf = (part?: Part): ThreadOfProcesses[] =>
    [
      ...byName(
        members.filter(({ key }) => part === undefined || partOf(key) === part),
        (info) => threadOf(info) ?? '',
      ),
    ].map(([thread, processes]) => ({
      thread: thread || null,
      parent: processes.map(parentThreadOf).find((parent) => parent !== null) ?? null,
      keys: processes.map(({ key }) => key),
    }));
  return {
    id,
    title,
    session: session === 'console' ? null : session,
    sessions: [...new Set(members.map((info) => info.session))].filter((label) => label !== 'console'),
    rows: { running: threadsOf('running'), finished: threadsOf('finished'), older: threadsOf('older') },
    threads: threadsOf(),
    running: members.filter((info) => isLive(info) && !isWaiting(info)).length,
    waiting: members.filter(isWaiting).length,
    failed: members.filter((info) => statusOf(info) === 'failed').length,
    total: members.length,
    oldestStartMs: members.reduce((oldest, { startedAtMs }) => Math.min(oldest, startedAtMs), Infinity),
  };
}

/** Returns the name shown for the agent, or the name of the person, that started the process. */
export const starterName = (info: ProcessInfo, sessions: Sessions): string =>
  info.session === 'console'
    ? info.startedBy
    : agentTitle({ clientName: clientNameOf(info, sessions), startedBy: info.startedBy });

function byName(
  processes: readonly ProcessInfo[],
  nameOf: (info: ProcessInfo) => string,
): Map<string, ProcessInfo[]> {
  const named = new Map<string, ProcessInfo[]>();
  for (const info of processes) {
    const name = nameOf(info);
    const there = named.get(name);
    if (there) there.push(info);
    else named.set(name, [info]);
  }
  return named;
}
