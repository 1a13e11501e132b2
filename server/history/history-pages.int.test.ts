// Tests of pages of history while processes start, end and are removed between them.
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { StartResult as Started } from '../../protocol/console.ts';
import type { HistoryEntry, HistoryResult, HistorySearchResult } from '../../protocol/history.ts';
import { ENV, finishedIn, run, searched } from '../testing/past-runs.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

const finished = (client: TestClient, key: string): Promise<HistoryEntry> =>
  finishedIn(join(server.stateDir, 'rec'), client, key);

describe('History', () => {
  it('[HS18] lists an exited process whose output goes on in the time after its exit', async () => {
    server = await TestServer.start();
    const agent = await server.client('agent');
    const operator = await server.client('operator');
    const argv = ['bash', '-c', 'sleep 1000 & exit 0'];
    const params = { processId: 'p', argv, cwd: 'file:///tmp', env: ENV, tty: false };
    const { key } = await agent.request<Started>('process/start', params);
    await agent.request('process/wait', { processId: 'p', until: 'exited', waitMs: 10_000 });
    const { processes }: HistoryResult = await operator.request('console/history', {
      sinceMs: Date.now() + 1,
    });
    expect(processes).toMatchObject([{ key, state: 'exited' }]);
    await operator.request('process/terminate', { key });
    await finished(operator, key);
    expect(await operator.request('console/history', { sinceMs: Date.now() + 1 })).toMatchObject({
      processes: [],
    });
  });

  it('[HS8] has every process once over its pages, whatever starts and ends between them', async () => {
    server = await TestServer.start({ historyHits: 1 });
    const agent = await server.client('agent');
    const operator = await server.client('operator');
    const past = await run(agent, 'echo needle');
    await finished(operator, past);
    const start = async (processId: string): Promise<string> => {
      const argv = ['bash', '-c', 'echo needle; read x'];
      const params = { processId, argv, cwd: 'file:///tmp', env: ENV, tty: false, pipeStdin: true };
      const { key } = await agent.request<Started>('process/start', params);
      return key;
    };
    const end = async (processId: string, key: string): Promise<void> => {
      await agent.request('process/write', { processId, writeId: '1', chunk: 'Cg==' });
      await finished(operator, key);
    };
    const keys = [await start('one'), await start('two'), await start('three')];
    await expect.poll(async () => (await searched(operator, { query: 'needle' })).length).toBe(4);
    const listed: string[] = [];
    const found: string[] = [];
    let [place, at]: [string | null, string | null] = [null, null];
    for (let page = 0; page === 0 || place !== null || at !== null; page += 1) {
      if (page === 0 || place !== null) {
        const params = { limit: 1, ...(place !== null && { before: place }) };
        const result: HistoryResult = await operator.request('console/history', params);
        listed.push(...result.processes.map(({ key }) => key));
        place = result.before;
      }
      if (page === 0 || at !== null) {
        const params = { query: 'needle', ...(at !== null && { before: at }) };
        const result: HistorySearchResult = await operator.request('console/historySearch', params);
        found.push(...result.hits.map(({ key }) => key));
        at = result.before;
      }
      if (page === 0) {
        await start('later');
        await end('three', keys[2] ?? '');
        await end('one', keys[0] ?? '');
      }
    }
    expect(listed).toEqual([...keys.toReversed(), past]);
    expect(found).toEqual([...keys.toReversed(), past]);
  });

  it('[HS8] continues at the same process when older ones are removed between two pages', async () => {
    server = await TestServer.start();
    const agent = await server.client('agent');
    const operator = await server.client('operator');
    const keys: string[] = [];
    for (let at = 0; at < 6; at += 1) keys.push(await run(agent, `echo ${'x'.repeat(200 * at)}`));
    for (const key of keys) await finished(operator, key);
    const first = await operator.request<HistoryResult>('console/history', { limit: 2 });
    const admin = await server.client('admin');
    await admin.request('console/historyRemove', { keys: [keys[0], keys[2]] });
    const second = await operator.request<HistoryResult>('console/history', { before: first.before ?? '' });
    const shown = [...first.processes, ...second.processes].map(({ key }) => key);
    expect(shown).toEqual([keys[5], keys[4], keys[3], keys[1]]);
  });
});
