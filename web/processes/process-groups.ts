// Processes by who started them, and an agent's by its threads, each in the order in which they are given.
import type { ProcessInfo, SessionInfo } from '../../server/protocol/console.ts';
import { threadOf } from './process-filter.ts';
import { inHeldOrder } from './process-order.ts';
import { isLive, statusOf } from './process-status.ts';

/** A session as the page knows it; one that is over is kept as long as something of it is listed. */
export type KnownSession = SessionInfo & { readonly isOver: boolean };
type Sessions = { readonly [label: string]: KnownSession };

export interface ThreadOfProcesses {
  /** Null: the agent named none. */
  readonly thread: string | null;
  readonly keys: readonly string[];
}

export interface ProcessGroup {
  readonly id: string;
  readonly title: string;
  /** The session's label; null for what was started from a page or a terminal. */
  readonly session: string | null;
  readonly threads: readonly ThreadOfProcesses[];
  readonly running: number;
  readonly failed: number;
  readonly total: number;
  readonly oldestStartMs: number;
}

/** `processes` in the order in which they are to stand; a group, and a thread, stands where its first process does. */
export function groupProcesses(processes: readonly ProcessInfo[], sessions: Sessions): ProcessGroup[] {
  return [...byName(processes, groupIdOf)].map(([id, members]) => groupOf(id, members, sessions));
}

/** The groups of now, with everything in them where it stood before. */
export function heldStill(held: readonly ProcessGroup[], now: readonly ProcessGroup[]): ProcessGroup[] {
  const heldById = new Map(held.map((group) => [group.id, group]));
  return inHeldOrder(held, now, ({ id }) => id).map((group) => {
    const before = heldById.get(group.id);
    if (!before) return group;
    const keysBefore = new Map(before.threads.map(({ thread, keys }) => [thread, keys]));
    const threads = inHeldOrder(before.threads, group.threads, ({ thread }) => thread ?? '');
    return {
      ...group,
      threads: threads.map(({ thread, keys }) => ({
        thread,
        keys: inHeldOrder(keysBefore.get(thread) ?? [], keys, (key) => key),
      })),
    };
  });
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

const groupIdOf = ({ session, startedBy }: ProcessInfo): string =>
  session === 'console' ? `console ${startedBy}` : session;

function groupOf(id: string, members: readonly ProcessInfo[], sessions: Sessions): ProcessGroup {
  const [{ session, startedBy }] = members as [ProcessInfo];
  const isAgent = session !== 'console';
  const threads = [...byName(members, (info) => threadOf(info) ?? '')];
  return {
    id,
    title: isAgent ? (sessions[session]?.clientName ?? startedBy) : startedBy,
    session: isAgent ? session : null,
    threads: threads.map(([thread, processes]) => ({
      thread: thread || null,
      keys: processes.map(({ key }) => key),
    })),
    running: members.filter(isLive).length,
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
