// Pauses and aborts at a real gateway: rule AP11, and AP10 across a restart.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Pause } from '../../protocol/approvals.ts';
import type { SessionInfo } from '../../protocol/console.ts';
import { ApprovalStore } from '../policy/approval-store.ts';
import { decide, errorOf, exitOf, GatedServer, list, waiting, waits } from '../testing/gated-server.ts';
import type { TestClient } from '../testing/test-client.ts';
import type { TestServer } from '../testing/test-server.ts';
import { Pauses } from './pauses.ts';
import { Policies } from './policies.ts';

let gated: GatedServer;
let server: TestServer;
let [agent, operator]: TestClient[] = [];
beforeEach(async () => {
  gated = await GatedServer.start({ approvals: 'never' });
  ({ server } = gated);
  [agent, operator] = [await server.client('agent'), await server.client('operator')];
});
afterEach(() => gated.stop());

const inThread = (threadId: string) => ({ metadata: { threadId } });
const pause = async (client: TestClient, params: object): Promise<Pause> =>
  (await client.request<{ pause: Pause }>('console/pause', params)).pause;
const labelOf = async (client: TestClient): Promise<string> => {
  const { sessions } = await client.request<{ sessions: SessionInfo[] }>('console/watch', {});
  return sessions.find(({ startedBy }) => startedBy === 'the agent')?.label ?? '';
};

it('[AP11] a pause of an agent holds its starts until it ends, except one that is accepted', async () => {
  if (!agent || !operator) throw new Error('not connected');
  const { id } = await pause(operator, { agent: 'the agent' });
  const [first, second] = [
    agent.start(['true'], { processId: 'a' }),
    agent.start(['true'], { processId: 'b' }),
  ];
  await waits(operator, 2);
  await (await server.client('admin')).start(['true']);
  const [one, other] = await waiting(operator);
  expect(one).toMatchObject({ reason: 'paused by the operator', pause: id, proposedRules: [] });
  await decide(operator, one?.id ?? '', 'accept');
  await first;
  expect((await waiting(operator)).map((each) => each.id)).toEqual([other?.id]);
  await operator.request('console/unpause', { id });
  await second;
  expect((await list(operator, { all: true })).approvals.at(-1)).toMatchObject({
    state: 'accepted',
    decision: 'released',
    decidedBy: 'the operator',
  });
});

it('[AP11] a pause of a thread holds its starts and those of new threads or without a thread, but not of other known threads', async () => {
  if (!agent || !operator) throw new Error('not connected');
  await agent.start(['true'], inThread('one'));
  await agent.start(['true'], inThread('other'));
  await pause(operator, { session: await labelOf(operator), thread: 'one' });
  await agent.start(['true'], inThread('other'));
  for (const more of [inThread('one'), inThread('new'), {}]) void errorOf(agent.start(['true'], more));
  await waits(operator, 3);
  const elsewhere = await server.client('agent');
  await elsewhere.start(['true'], inThread('new'));
  void errorOf(elsewhere.start(['true'], inThread('one')));
  await waits(operator, 4);
});

it('[AP11] a pause interrupts running processes on request', async () => {
  if (!agent || !operator) throw new Error('not connected');
  const started = agent.start(['sleep', '1000']);
  await started;
  await pause(operator, { all: true, interrupt: true });
  expect(await exitOf(agent, started)).toMatchObject({ exited: true });
});

it('[AP11] an abort ends the processes of its thread, and holds later starts', async () => {
  if (!agent || !operator) throw new Error('not connected');
  const [mine, other] = [
    agent.start(['sleep', '1000'], inThread('one')),
    agent.start(['sleep', '1000'], inThread('other')),
  ];
  const { key } = (await Promise.all([mine, other]))[1];
  await operator.request('console/setPolicy', { policy: 'always' });
  const asked = errorOf(agent.start(['true'], inThread('one')));
  await decide(operator, (await waits(operator)).id, 'abort', { message: 'stop' });
  expect(await asked).toEqual({ code: -32603, message: 'aborted by the operator: stop' });
  await exitOf(agent, mine);
  expect(await operator.request('process/wait', { key, waitMs: 0 })).toMatchObject({ exited: false });
  await operator.request('console/setPolicy', { policy: 'never' });
  void errorOf(agent.start(['true'], inThread('one')));
  expect(await waits(operator)).toMatchObject({ reason: 'aborted by the operator' });
});

it('[AP11] an abort also ends what its thread runs in another session of the agent', async () => {
  if (!agent || !operator) throw new Error('not connected');
  const before = await server.client('agent');
  const mine = before.start(['sleep', '1000'], inThread('one'));
  const { key } = await before.start(['sleep', '1000'], inThread('other'));
  await mine;
  await operator.request('console/setPolicy', { policy: 'always' });
  const asked = errorOf(agent.start(['true'], inThread('one')));
  await decide(operator, (await waits(operator)).id, 'abort');
  expect(await asked).toMatchObject({ code: -32603 });
  expect(await exitOf(before, mine)).toMatchObject({ exited: true });
  expect(await operator.request('process/wait', { key, waitMs: 0 })).toMatchObject({ exited: false });
});

it('[AP11] a pause or unpause without exactly one valid target is rejected', async () => {
  if (!operator) throw new Error('not connected');
  for (const params of [{}, { agent: 'x', all: true }, { session: 'none' }, { agent: 'x', thread: 't' }])
    expect(await errorOf(pause(operator, params))).toMatchObject({ code: -32602 });
  expect(await errorOf(operator.request('console/unpause', {}))).toMatchObject({ code: -32602 });
});

it('[AP10][AP11] policies and pauses outlive the gateway, and the stricter of flag and stored policy applies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exec-console-store-'));
  try {
    const store = new ApprovalStore(folder);
    new Policies(store, 'on-request').set('never', undefined);
    new Policies(store, 'on-request').set('always', 'bot');
    const first = new Pauses(store);
    first.add({ agent: 'bot', session: 's-1', thread: 't', why: 'aborted', by: 'Ada' }, new Set(['known']));
    expect(first.holding({ agent: 'bot', session: 's-1', thread: 'known' })).toBeNull();
    const again = new ApprovalStore(folder);
    const policies = new Policies(again, 'on-failure');
    expect([policies.of('other'), policies.of('bot')]).toEqual(['on-failure', 'always']);
    const pauses = new Pauses(again);
    expect(pauses.holding({ agent: 'bot', session: 's-2', thread: 'known' })).toMatchObject({ by: 'Ada' });
    expect(pauses.holding({ agent: 'other', session: 's-1', thread: 't' })).toBeNull();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
