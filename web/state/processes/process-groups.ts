// Processes by who started them, and an agent's by its threads, each in the order in which they are given.
import type { ProcessInfo, SessionInfo } from '../../../protocol/console.ts';
import { baseName } from '../../../text/command-line.ts';
import type { NeededCounts } from './process-counts.ts';
import { threadOf } from './process-filter.ts';
import { inHeldOrder } from './process-order.ts';
import { clockText } from '../../../text/amounts.ts';
import { isLive, isWaiting, statusOf } from '../../../text/process-words.ts';

/** A session as the page knows it; one that is over is kept as long as something of it is listed. */
export type KnownSession = SessionInfo & { readonly isOver: boolean };
type Sessions = { readonly [label: string]: KnownSession };

export interface ThreadOfProcesses {
  /** Null: the agent named none. */
  readonly thread: string | null;
  readonly keys: readonly string[];
}

/** In which part of the list a process stands, from above; of its group all but the first. */
export type Part = 'needing' | 'moreFailed' | 'running' | 'finished' | 'older';

export interface ProcessGroup {
  readonly id: string;
  readonly title: string;
  /** The session's label; null for what was started from a page or a terminal. */
  readonly session: string | null;
  /** What stands below its title; what needs a person stands above all groups. */
  readonly rows: { readonly [part in Exclude<Part, 'needing' | 'moreFailed'>]: readonly ThreadOfProcesses[] };
  /** All that was started there, wherever it stands. */
  readonly threads: readonly ThreadOfProcesses[];
  /** Without those that wait. */
  readonly running: number;
  readonly waiting: number;
  readonly failed: number;
  readonly total: number;
  readonly oldestStartMs: number;
}

/** What needs a person, whoever started it. */
export interface Needing extends NeededCounts {
  readonly keys: readonly string[];
  /** How many failures that nobody has looked at stand elsewhere. */
  readonly moreFailed: number;
  /** The keys of those, while they are unfolded here. */
  readonly unfolded: readonly string[];
}

/** `processes` in the order in which they are to stand, each in its part; groups and threads stand where their first does. */
export function groupProcesses(
  processes: readonly ProcessInfo[],
  titles: ReadonlyMap<string, string>,
  partOf: (key: string) => Part = () => 'running',
): ProcessGroup[] {
  const standing = processes.filter(({ key }) => !['needing', 'moreFailed'].includes(partOf(key)));
  // A group all of which needs a person has no place of its own.
  return [...byName([...standing, ...processes], groupIdOf)].map(([id, twice]) => {
    const members = [...new Set(twice)];
    return groupOf(id, members, titles.get(id) ?? '', partOf);
  });
}

/** The groups of now, with everything in them where it stood before. */
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

/** What became of the connection of who started them, in words; null while all is as usual. */
export function sessionText(
  session: KnownSession | undefined,
  oldestStartMs: number,
  sinceText: (sinceMs: number) => string,
): string | null {
  if (!session || session.isOver) return 'session over';
  if (session.detachedAtMs !== null) return `disconnected for ${sinceText(session.detachedAtMs)}`;
  // What it started before it connected, it has come back to.
  return oldestStartMs < session.connectedAtMs ? 'reconnected' : null;
}

export const groupIdOf = ({ session, startedBy }: Pick<ProcessInfo, 'session' | 'startedBy'>): string =>
  session === 'console' ? `console ${startedBy}` : session;

/** By group: the client's name, and what tells it from others of that name: its token, its folder, since when, or a number. */
export function groupTitles(
  processes: readonly ProcessInfo[],
  sessions: Sessions,
): ReadonlyMap<string, string> {
  const firsts = new Map<string, ProcessInfo>();
  for (const info of processes) {
    const there = firsts.get(groupIdOf(info));
    // The oldest: what comes later changes no name.
    if (!there || info.startedAtMs < there.startedAtMs) firsts.set(groupIdOf(info), info);
  }
  const nameOf = (info: ProcessInfo): string =>
    info.session === 'console' ? info.startedBy : (sessions[info.session]?.clientName ?? info.startedBy);
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
