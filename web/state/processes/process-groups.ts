// Processes grouped by who started them, and those of an agent by threads, each in the given order.
import type { ProcessInfo, SessionInfo } from '../../../protocol/console.ts';
import { baseName } from '../../../text/command-line.ts';
import type { NeededCounts } from './process-counts.ts';
import { threadOf } from './process-filter.ts';
import { inHeldOrder } from './process-order.ts';
import { clockText } from '../../../text/amounts.ts';
import { isLive, isWaiting, statusOf } from '../../../text/process-words.ts';
import { clientTitle } from '../../../text/client-title.ts';

/** A session as the page knows it; one that is over is kept while any of its processes is listed. */
export type KnownSession = SessionInfo & { readonly isOver: boolean };
type Sessions = { readonly [label: string]: KnownSession };

export interface ThreadOfProcesses {
  /** The agent's thread; null when it named none. */
  readonly thread: string | null;
  readonly keys: readonly string[];
}

/** Parts of the list, from the top; a group has all but the first two. */
export type Part = 'needing' | 'moreFailed' | 'running' | 'finished' | 'older';

export interface ProcessGroup {
  readonly id: string;
  readonly title: string;
  /** The session's label; null for processes started from a page or a terminal. */
  readonly session: string | null;
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

/** Processes that need attention, whoever started them. */
export interface Needing extends NeededCounts {
  readonly keys: readonly string[];
  /** Number of unseen failures that are listed elsewhere. */
  readonly moreFailed: number;
  /** Keys of those failures, while they are unfolded here. */
  readonly unfolded: readonly string[];
}

/** Groups `processes`, given in order, each in its part; groups and threads are placed by their first process. */
export function groupProcesses(
  processes: readonly ProcessInfo[],
  titles: ReadonlyMap<string, string>,
  partOf: (key: string) => Part = () => 'running',
): ProcessGroup[] {
  const standing = processes.filter(({ key }) => !['needing', 'moreFailed'].includes(partOf(key)));
  // A group in which every process needs attention comes last.
  return [...byName([...standing, ...processes], groupIdOf)].map(([id, twice]) => {
    const members = [...new Set(twice)];
    return groupOf(id, members, titles.get(id) ?? '', partOf);
  });
}

/** Returns the current groups, with all of their rows where they were before. */
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
  return inHeldOrder(held, now, ({ thread }) => thread ?? '').map(({ thread, keys }) => ({
    thread,
    keys: inHeldOrder(keysBefore.get(thread) ?? [], keys, (key) => key),
  }));
}

/** Returns the state of the session in words; null in the normal case. */
export function sessionText(
  session: KnownSession | undefined,
  oldestStartMs: number,
  sinceText: (sinceMs: number) => string,
): string | null {
  if (!session || session.isOver) return 'session over';
  if (session.detachedAtMs !== null) return `disconnected for ${sinceText(session.detachedAtMs)}`;
  // An agent that had started processes before it connected has reconnected.
  return oldestStartMs < session.connectedAtMs ? 'reconnected' : null;
}

export const groupIdOf = ({ session, startedBy }: Pick<ProcessInfo, 'session' | 'startedBy'>): string =>
  session === 'console' ? `console ${startedBy}` : session;

/**
 * Returns the titles by group: the client's name, and what distinguishes it from others of that name: its token, its
 * folder, its start, or a number.
 */
export function groupTitles(
  processes: readonly ProcessInfo[],
  sessions: Sessions,
): ReadonlyMap<string, string> {
  const firsts = new Map<string, ProcessInfo>();
  for (const info of processes) {
    const there = firsts.get(groupIdOf(info));
    // The oldest process counts, so that later ones change no title.
    if (!there || info.startedAtMs < there.startedAtMs) firsts.set(groupIdOf(info), info);
  }
  const nameOf = (info: ProcessInfo): string =>
    info.session === 'console'
      ? info.startedBy
      : clientTitle(sessions[info.session]?.clientName ?? info.startedBy);
  const titles = new Map<string, string>();
  const sinceMs = ({ session, startedAtMs }: ProcessInfo): number =>
    sessions[session]?.connectedAtMs ?? startedAtMs;
  for (const [name, unordered] of byName([...firsts.values()], nameOf)) {
    const same = unordered.toSorted((a, b) => sinceMs(a) - sinceMs(b));
    const told = [
      ({ startedBy }: ProcessInfo) => startedBy,
      ({ cwd }: ProcessInfo) => baseName(cwd),
      (info: ProcessInfo) => `since ${clockText(sinceMs(info), true)}`,
    ].find((tell) => new Set(same.map(tell)).size === same.length);
    for (const [index, info] of same.entries()) {
      const own = told ? told(info) : String(index + 1);
      titles.set(groupIdOf(info), same.length > 1 ? `${name} · ${own}` : name);
    }
  }
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
    ].map(([thread, processes]) => ({ thread: thread || null, keys: processes.map(({ key }) => key) }));
  return {
    id,
    title,
    session: session === 'console' ? null : session,
    rows: { running: threadsOf('running'), finished: threadsOf('finished'), older: threadsOf('older') },
    threads: threadsOf(),
    running: members.filter((info) => isLive(info) && !isWaiting(info)).length,
    waiting: members.filter(isWaiting).length,
    failed: members.filter((info) => statusOf(info) === 'failed').length,
    total: members.length,
    oldestStartMs: members.reduce((oldest, { startedAtMs }) => Math.min(oldest, startedAtMs), Infinity),
  };
}

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
