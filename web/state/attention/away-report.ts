// Report on a time span, by agent: waiting, failed, stopped and successful processes, and decisions on approval
// requests.
import type { Approval } from '../../../protocol/approvals.ts';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { agentTitle } from '../../../text/client-title.ts';
import { endedAtMs, isHeld, isLive, isWaiting, statusOf } from '../../../text/process-words.ts';

export interface AgentReport {
  /** Name of the agent, as in the list. */
  readonly agent: string;
  /** Processes and requests that wait for a person now, oldest first. */
  readonly waiting: readonly HistoryEntry[];
  readonly requests: readonly Approval[];
  /** Processes that ended in the span by outcome, newest first; lost ones count as failed. */
  readonly failed: readonly HistoryEntry[];
  readonly stopped: readonly HistoryEntry[];
  readonly succeeded: readonly HistoryEntry[];
  /** Requests that were decided or left unanswered in the span, newest first. */
  readonly decided: readonly Approval[];
  /** Number of running processes that are not waiting. */
  readonly running: number;
}

type Building = {
  -readonly [K in keyof AgentReport]: AgentReport[K] extends readonly (infer T)[] ? T[] : AgentReport[K];
};

/**
 * Returns the agents with anything to report since `sinceMs`: first those that need a person, then those with
 * failures, then the others, each by name. `entries` are the processes that ran in the span, newest first.
 */
export function awayReport(
  entries: readonly HistoryEntry[],
  approvals: readonly Approval[],
  sinceMs: number,
): readonly AgentReport[] {
  const agents = new Map<string, Building>();
  const of = (starter: Pick<HistoryEntry, 'clientName' | 'startedBy'>): Building => {
    const agent = agentTitle(starter);
    const known = agents.get(agent);
    if (known) return known;
    const fresh: Building = {
      agent,
      waiting: [],
      requests: [],
      failed: [],
      stopped: [],
      succeeded: [],
      decided: [],
      running: 0,
    };
    agents.set(agent, fresh);
    return fresh;
  };
  for (const entry of entries) {
    // A process that waits for approval is already among the requests.
    if (isHeld(entry)) continue;
    if (isWaiting(entry)) of(entry).waiting.unshift(entry);
    else if (isLive(entry)) of(entry).running += 1;
    else if (endedAtMs(entry) >= sinceMs) of(entry)[outcomeOf(entry)].push(entry);
  }
  for (const request of approvals) {
    if (request.state === 'waiting') of(request).requests.push(request);
    else if (isDecided(request) && (request.decidedAtMs ?? 0) >= sinceMs)
      of(request).decided.unshift(request);
  }
  return [...agents.values()].toSorted(
    (one, other) => urgency(one) - urgency(other) || one.agent.localeCompare(other.agent),
  );
}

/**
 * Returns true for a request that was decided, was refused or has expired; a withdrawn or released one is not worth
 * reporting.
 */
const isDecided = ({ state, decision }: Approval): boolean =>
  state === 'expired' || state === 'declined' || (decision !== null && decision !== 'released');

function outcomeOf(entry: HistoryEntry): 'failed' | 'stopped' | 'succeeded' {
  const status = statusOf(entry);
  return status === 'stopped' || status === 'succeeded' ? status : 'failed';
}

function urgency({ waiting, requests, failed }: AgentReport): number {
  if (waiting.length + requests.length > 0) return 0;
  return failed.length > 0 ? 1 : 2;
}
