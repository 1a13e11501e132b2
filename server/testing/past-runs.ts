// Processes that run to their end, and the history of them.
import type { StartResult } from '../../protocol/console.ts';
import type { HistoryResult } from '../../protocol/history.ts';
import type { TestClient } from './test-client.ts';

export const ENV = { PATH: process.env['PATH'] ?? '' };

/** Runs a command in bash; its key. */
export async function run(client: TestClient, command: string, more: object = {}): Promise<string> {
  const processId = `p${Math.random()}`;
  const start = { processId, argv: ['bash', '-c', command], cwd: 'file:///tmp', env: ENV, tty: false };
  const { key } = await client.request<StartResult>('process/start', { ...start, ...more });
  await client.request('process/wait', { processId, until: 'closed', waitMs: 60_000 });
  return key;
}

export const list = async (client: TestClient, params: object = {}): Promise<HistoryResult['processes']> =>
  (await client.request<HistoryResult>('console/history', params)).processes;
