// Processes by who started them, and an agent's by its threads: what runs first, then the newest.
import type { ProcessInfo, SessionInfo } from '../../server/protocol/console.ts';
import { threadOf } from './process-filter.ts';
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
}

/** `processes` in the order in which they are to stand within their group. */
export function groupProcesses(processes: readonly ProcessInfo[], sessions: Sessions): ProcessGroup[] {
  const groups = [...byName(processes, groupIdOf)].map(([id, members]) => groupOf(id, members, sessions));
  const hasRunning = ({ running }: ProcessGroup): number => (running > 0 ? 1 : 0);
  // Those that have started something last stay first: nothing moves because something ends, but for its group's end.
  return groups.toSorted((a, b) => hasRunning(b) - hasRunning(a));
}

/** Live ones first, then the newest. */
export function inOrder(processes: readonly ProcessInfo[]): ProcessInfo[] {
  const rank = (info: ProcessInfo): number => (isLive(info) ? 0 : 1);
  return processes.toSorted((a, b) => rank(a) - rank(b) || b.startedAtMs - a.startedAtMs);
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
