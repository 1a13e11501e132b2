// Tests of unified exec for a client that disconnects and returns, or cancels its calls early: rules UE3 and UE5.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WatchResult } from '../../protocol/console.ts';
import { connectInProcess } from '../testing/in-process-wire.ts';
import { UnifiedGateway } from '../testing/unified-gateway.ts';
import { WireClient } from '../testing/wire-client.ts';

let gateway: UnifiedGateway;
beforeEach(() => {
  gateway = new UnifiedGateway();
});
afterEach(() => gateway.close());

it.each(['t', null])('[UE5] keeps the processes of a client that returns (thread: %j)', async (thread) => {
  const agent = gateway.client({ thread });
  const { id } = await agent.start('sleep 100', { yield_time_ms: 250 });
  const identity = { tokenId: 'ann', name: 'ann', role: 'operator', expiresAtMs: null } as const;
  const ann = new WireClient(connectInProcess(gateway.gateway, identity));
  await ann.initialize();
  const isAttached = async (): Promise<boolean | undefined> => {
    const { processes, sessions } = await ann.request<WatchResult>('console/watch', {});
    const row = processes.find(({ processId }) => processId === String(id));
    return sessions.find(({ label }) => label === row?.session)?.attached;
  };
  agent.exec.close();
  await expect.poll(isAttached).toBe(false);
  agent.exec.reopen();
  await expect.poll(isAttached).toBe(true);
  expect((await agent.call('list_sessions')).text).toContain(`${id}  running`);
});

it('[UE3] does not run a command whose call was cancelled first, and ends none that is about to start', async () => {
  const agent = gateway.client();
  const cancel = new AbortController();
  const { signal } = cancel;
  const started = agent.start('echo a; sleep 100', {}, { signal });
  cancel.abort();
  expect((await started).text).toBe('exec_command was cancelled');
  expect((await agent.start('echo b', {}, { signal })).text).toBe('exec_command was cancelled');
  const { text } = await agent.call('list_sessions');
  expect(text).toMatch(/^\d+ {2}.*echo a; sleep 100$/);
  const poll = await agent.call('write_stdin', { session_id: Number.parseInt(text, 10) }, { budgetMs: 500 });
  expect(poll.text).toMatch(/Process running[\s\S]*\na\n$/);
});
