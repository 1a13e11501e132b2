// Runs processes to their end, and returns their history.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { StartResult } from '../../protocol/console.ts';
import type { HistoryEntry, HistoryHit, HistoryResult, HistorySearchResult } from '../../protocol/history.ts';
import type { TestClient } from './test-client.ts';

export const ENV = { PATH: process.env['PATH'] ?? '' };

/** Runs a command in bash to its end; returns its key. */
export async function run(client: TestClient, command: string, more: object = {}): Promise<string> {
  const processId = `p${Math.random()}`;
  const start = { processId, argv: ['bash', '-c', command], cwd: 'file:///tmp', env: ENV, tty: false };
  const { key } = await client.request<StartResult>('process/start', { ...start, ...more });
  await client.request('process/wait', { processId, until: 'closed', waitMs: 60_000 });
  return key;
}

export const list = async (client: TestClient, params: object = {}): Promise<HistoryResult['processes']> =>
  (await client.request<HistoryResult>('console/history', params)).processes;

/**
 * Returns the history entry of a finished process once it is written; `recordings` is the folder of all
 * recordings.
 */
export async function finishedIn(recordings: string, client: TestClient, key: string): Promise<HistoryEntry> {
  await expect.poll(async () => (await list(client, { key }))[0]?.recordedBytes ?? 0).toBeGreaterThan(0);
  await expect.poll(() => existsSync(join(recordings, 'open', key))).toBe(false);
  const [entry] = await list(client, { key });
  if (!entry) throw new Error('not listed');
  return entry;
}

/** Returns all hits of a search in the history, requested page by page. */
export async function searched(client: TestClient, params: object): Promise<HistoryHit[]> {
  const hits: HistoryHit[] = [];
  let before: string | null = null;
  do {
    const page: HistorySearchResult = await client.request('console/historySearch', {
      ...params,
      ...(before !== null && { before }),
    });
    hits.push(...page.hits);
    ({ before } = page);
  } while (before !== null);
  return hits;
}
