// Processes as timeline lanes: one per thread of each agent, with as many rows as processes ran at once, up to a
// limit.
import type { HistoryEntry } from '../../../protocol/history.ts';
import { agentTitle } from '../../../text/client-title.ts';
import { parentThreadOf, threadOf } from '../processes/process-filter.ts';
import { endOf } from '../processes/history-time.ts';

/** Maximum number of rows per lane; any further concurrent process is put in the last row. */
const MOST_ROWS = 8;

export interface Bar {
  readonly entry: HistoryEntry;
  readonly fromMs: number;
  readonly toMs: number;
  /** Row in the lane, starting at 0. */
  readonly row: number;
}

export interface Lane {
  readonly id: string;
  readonly agent: string;
  /** Number of the thread among those of its agent, starting at 1; null without a thread. */
  readonly thread: number | null;
  readonly isSubAgent: boolean;
  /** Bars ordered by start time. */
  readonly bars: readonly Bar[];
  readonly rows: number;
  readonly failed: number;
}

/** Returns lanes by agent name; for each agent, first the lane without a thread, then threads by first start. */
export function lanesOf(
  entries: readonly HistoryEntry[],
  nowMs: number,
  hasFailed: (entry: HistoryEntry) => boolean,
): Lane[] {
  const inOrder = entries.toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  const lanes = new Map<string, HistoryEntry[]>();
  for (const entry of inOrder) {
    const id = JSON.stringify([agentTitle(entry), threadOf(entry)]);
    const known = lanes.get(id);
    if (known) known.push(entry);
    else lanes.set(id, [entry]);
  }
  const threads = new Map<string, number>();
  return [...lanes]
    .map(([id, own]) => {
      const first = own[0] as HistoryEntry;
      const agent = agentTitle(first);
      const isThread = threadOf(first) !== null;
      if (isThread) threads.set(agent, (threads.get(agent) ?? 0) + 1);
      return {
        id,
        agent,
        thread: isThread ? (threads.get(agent) ?? 1) : null,
        isSubAgent: parentThreadOf(first) !== null,
        ...stacked(own, nowMs),
        failed: own.filter(hasFailed).length,
      };
    })
    .toSorted(
      (one, other) => one.agent.localeCompare(other.agent) || (one.thread ?? 0) - (other.thread ?? 0),
    );
}

/** Returns for example `Codex · thread 2`. */
export const laneTitle = ({ agent, thread, isSubAgent }: Lane): string =>
  thread === null ? agent : `${agent} · ${isSubAgent ? 'sub-agent' : 'thread'} ${thread}`;

function stacked(entries: readonly HistoryEntry[], nowMs: number): { bars: Bar[]; rows: number } {
  const ends: number[] = [];
  const bars = entries.map((entry) => {
    const [fromMs, toMs] = [entry.startedAtMs, Math.max(entry.startedAtMs, endOf(entry, nowMs))];
    const free = ends.findIndex((end) => end <= fromMs);
    const row = free >= 0 ? free : Math.min(ends.length, MOST_ROWS - 1);
    ends[row] = Math.max(ends[row] ?? 0, toMs);
    return { entry, fromMs, toMs, row };
  });
  return { bars, rows: Math.max(1, ends.length) };
}
