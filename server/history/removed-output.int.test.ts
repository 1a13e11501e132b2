// Tests that no client can read the output of a process after its recording was removed: rule HS11.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { AttachResult, StartResult } from '../../protocol/console.ts';
import { ENV, finishedIn, list, run } from '../testing/past-runs.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';
import { UnifiedGateway } from '../testing/unified-gateway.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

async function startServer(): Promise<TestServer> {
  const server = await TestServer.start();
  endings.push(() => server.stop());
  return server;
}

const remove = async (server: TestServer, key: string): Promise<unknown> =>
  (await server.client('admin')).request('console/historyRemove', { keys: [key] });

const outputTo = (client: TestClient, processId: string): Promise<unknown> =>
  client.request('process/read', { processId, afterSeq: 0, waitMs: 0 });

async function started(client: TestClient, command: string): Promise<{ processId: string; key: string }> {
  const processId = `p${Math.random()}`;
  const start = { processId, argv: ['bash', '-c', command], cwd: 'file:///tmp', env: ENV, tty: false };
  const { key } = await client.request<StartResult>('process/start', start);
  await client.request('process/wait', { processId, until: 'closed', waitMs: 60_000 });
  return { processId, key };
}

it('[HS11] removed output is gone at once for the session that started the process, by its id', async () => {
  const server = await startServer();
  const agent = await server.client('agent');
  const { processId, key } = await started(agent, 'echo secret');
  await finishedIn(join(server.stateDir, 'rec'), await server.client('operator'), key);
  const exit = { exited: true, exitCode: 0, closed: true };
  expect(await outputTo(agent, processId)).toMatchObject({ ...exit, chunks: [{ stream: 'stdout' }] });
  expect(await remove(server, key)).toMatchObject({ removed: 1 });
  expect(await outputTo(agent, processId)).toMatchObject({ ...exit, chunks: [] });
  const later = { processId, afterSeq: 0, waitMs: 60_000 };
  expect(await agent.request('process/read', later)).toMatchObject({ ...exit, chunks: [] });
});

it('[HS11] a recording can be removed as soon as the end of its process is reported', async () => {
  const server = await startServer();
  const agent = await server.client('agent');
  for (let run = 0; run < 50; run++) {
    const { key } = await started(agent, `seq 1 ${run * 1000}`);
    expect(await remove(server, key)).toMatchObject({ removed: 1 });
    expect(await list(await server.client('admin'), { key })).toEqual([]);
  }
});

it('[HS11] removed output is gone for the session also when the console no longer lists the process', async () => {
  const server = await TestServer.start({ finishedProcesses: 1 });
  endings.push(() => server.stop());
  const agent = await server.client('agent');
  const { processId, key } = await started(agent, 'echo secret');
  await finishedIn(join(server.stateDir, 'rec'), await server.client('operator'), key);
  await run(agent, 'true');
  expect(await outputTo(agent, processId)).toMatchObject({ chunks: [{ stream: 'stdout' }] });
  expect(await remove(server, key)).toMatchObject({ removed: 1 });
  expect(await outputTo(agent, processId)).toMatchObject({ chunks: [], closed: true });
});

it.each(['this', 'an earlier'])(
  '[HS11] removed output of %s gateway is gone for those who follow it',
  async (which) => {
    const server = await startServer();
    const { key } = await started(await server.client('agent'), 'seq 1 100000');
    await finishedIn(join(server.stateDir, 'rec'), await server.client('operator'), key);
    if (which === 'an earlier') await server.restart();
    const watcher = await server.client('operator');
    await watcher.request<AttachResult>('process/attach', { key, afterSeq: 0 });
    expect(await remove(server, key)).toMatchObject({ removed: 1 });
    await expect(watcher.request('process/read', { key, afterSeq: 0 })).rejects.toThrow(
      'unknown process key',
    );
    await expect(watcher.request('process/attach', { key, afterSeq: 0 })).rejects.toThrow(
      'unknown process key',
    );
  },
);

it('[HS11] removed output is gone for the agent that has not read it with unified exec', async () => {
  const root = mkdtempSync(join(tmpdir(), 'exec-console-test-'));
  endings.push(() => rmSync(root, { recursive: true }));
  const unified = new UnifiedGateway({}, { recordings: { root, isOn: true } });
  endings.push(() => unified.close());
  const { history, console } = unified.gateway;
  const agent = unified.client();
  const { id } = await agent.start('sleep 0.6; echo secret', { yield_time_ms: 250 });
  await expect.poll(() => console.directory.all()[0]?.log.closedSeq ?? null).not.toBeNull();
  const key = console.directory.all()[0]?.key ?? '';
  await expect.poll(() => history?.isRunning(key)).toBe(false);
  await expect.poll(async () => (await history?.remove({ keys: [key], who: 'Ada' }))?.removed).toBe(1);
  const { text } = await agent.call('write_stdin', { session_id: id, yield_time_ms: 250 });
  expect(text).not.toContain('secret');
  expect(text).toContain('7 bytes omitted');
  expect((await agent.call('read_output', { session_id: id })).text).not.toContain('secret');
});
