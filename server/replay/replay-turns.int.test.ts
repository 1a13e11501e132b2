// Tests that a recording whose screens take minutes to draw does not delay others.
import { afterEach, expect, it } from 'vitest';
import type { StartResult } from '../../protocol/console.ts';
import type { MomentResult } from '../../protocol/replay.ts';
import type { Limits } from '../config.ts';
import { ENV } from '../testing/past-runs.ts';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

const LARGE = { rows: 1000, cols: 2000 };
/** Each of these sequences fills two million cells. */
const COSTLY = `perl -e 'print "\\e#8" x 20000'`;

/** Starts a server and a process on a large terminal whose output takes minutes to draw. */
async function withCostlyRecording(limits: Partial<Limits>) {
  server = await TestServer.start(limits);
  const agent = await server.client('agent');
  return { agent, operator: await server.client('operator'), costly: await ended(agent, COSTLY, LARGE) };
}

/** Runs a command on a terminal to its end; returns its key. */
async function ended(agent: TestClient, command: string, size: object): Promise<string> {
  const processId = `p${Math.random()}`;
  const start = { processId, argv: ['bash', '-c', command], cwd: 'file:///tmp', env: ENV, tty: true, size };
  const { key } = await agent.request<StartResult>('process/start', start);
  await agent.request('process/wait', { processId, until: 'closed', waitMs: 60_000 });
  return key;
}

const endOf = (client: TestClient, key: string): Promise<MomentResult> =>
  client.request<MomentResult>('process/moment', { key, atMs: Date.now() + 1000 });

it('[HS16] a recording that takes minutes to draw delays no other one', async () => {
  const { agent, operator, costly } = await withCostlyRecording({ screenTurnMs: 1, screenDrawMs: 600_000 });
  const usual = await ended(agent, 'echo drawn', { rows: 24, cols: 80 });
  let isAnswered = false;
  const answer = endOf(operator, costly).then(
    () => (isAnswered = true),
    () => undefined,
  );
  const other = await server.client('operator');
  // A request on a busy machine may end before the whole recording is drawn.
  let { data, isReached } = await endOf(other, usual);
  while (!isReached) ({ data, isReached } = await endOf(other, usual));
  expect(Buffer.from(data, 'base64').toString()).toContain('drawn');
  expect(isAnswered).toBe(false);
  await server.stop();
  await answer;
});

it('[HS16] a recording whose screen takes too long to draw is refused, and others are drawn afterwards', async () => {
  const { agent, operator, costly } = await withCostlyRecording({ screenTurnMs: 1, screenDrawMs: 3000 });
  await expect(endOf(operator, costly)).rejects.toThrow(
    `the screen of process ${costly} takes too long to draw; exec-console logs ${costly} prints its output`,
  );
  const usual = await ended(agent, 'echo drawn', { rows: 24, cols: 80 });
  const { data } = await endOf(operator, usual);
  expect(Buffer.from(data, 'base64').toString()).toContain('drawn');
});
