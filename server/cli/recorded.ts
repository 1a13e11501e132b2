// Finds processes in the history: all those that match a query, page by page, or the one that a name refers to.
import type { HistoryEntry, HistoryResult } from '../../protocol/history.ts';
import type { Requests } from '../../protocol/methods.ts';
import type { ProcessInfo } from '../../protocol/console.ts';
import { retryAfterLoss, type Gateway } from './connect.ts';
import { allProcesses, candidatesFor, findProcess } from './find-process.ts';

const PAGE_ENTRIES = 1000;

export interface HistoryQuery {
  readonly agent?: string;
  readonly sinceMs?: number;
  readonly failed?: boolean;
  readonly folder?: string;
}

/** Yields the entries that match the query, newest first. */
export async function* recorded(gateway: Gateway, query: HistoryQuery): AsyncGenerator<HistoryEntry> {
  const { connection } = gateway.client;
  let before: string | null = null;
  do {
    const params: Requests['console/history']['params'] = {
      ...query,
      limit: PAGE_ENTRIES,
      ...(before !== null && { before }),
    };
    const page: HistoryResult = await retryAfterLoss(gateway, () =>
      connection.request('console/history', params),
    );
    yield* page.processes;
    ({ before } = page);
  } while (before !== null);
}

/** Finds a process in the gateway's list, or else in the history. Throws CommandFailed for no match, or several. */
export async function findRecorded(gateway: Gateway, name: string): Promise<ProcessInfo> {
  const present = await allProcesses(gateway);
  if (candidatesFor(present, name).length > 0) return findProcess(present, name);
  const { connection } = gateway.client;
  const { processes } = await retryAfterLoss(gateway, () =>
    connection.request('console/history', { key: name.slice(0, 64) }),
  );
  if (processes[0]) return processes[0];
  const all: HistoryEntry[] = [];
  for await (const entry of recorded(gateway, {})) all.push(entry);
  return findProcess(all, name, 'exec-console history');
}
