// Tests of the log lines of a gateway with a few short connections, from its start to its end.
import { expect, it, vi } from 'vitest';
import { TestServer } from '../testing/test-server.ts';

it('[LG1][LG2] the log has connections and the starts and ends of processes, by their public names', async () => {
  const server = await TestServer.start({ sessionTtlMs: 200 });
  const logged = (event: string): Promise<void> =>
    vi.waitFor(() => expect(server.lines.some(([, , keys]) => keys.event === event)).toBe(true), 10_000);
  const agent = await server.client('agent');
  const { sessionId } = agent;
  await expect(agent.start(['/proc/none/program'])).rejects.toThrow('program');
  const { key } = await agent.start(['/bin/sh', '-c', 'exit 3']);
  await logged('processClosed');
  agent.ws.terminate();
  await logged('sessionDetached');
  const resumed = await server.client('agent', sessionId);
  resumed.ws.terminate();
  await logged('sessionEnded');
  const rude = await server.client('agent');
  rude.send({ method: 'nobody/asked' });
  await rude.waitClose();
  await server.stop();

  const [, , { connection }] = server.lines.find(([, , { event }]) => event === 'connected')!;
  const [, , { session }] = server.lines.find(([, , { event }]) => event === 'sessionMade')!;
  const identity = { name: 'the agent', role: 'agent', token: expect.any(String) };
  const reason = expect.stringContaining('/proc/none/program');
  const other = expect.not.stringMatching(String(connection));
  expect(server.lines.map(([, , keys]) => keys)).toMatchObject([
    { event: 'gatewayStarted', url: server.url },
    { event: 'connected', connection, identity },
    { event: 'sessionMade', connection, session, identity, clientName: 'test' },
    { event: 'notStarted', reason },
    { event: 'failed', connection, identity, details: { method: 'process/start', reason } },
    { event: 'start', connection, process: key, identity, details: { argv: ['/bin/sh', '-c', 'exit 3'] } },
    { event: 'processExited', process: key, session, exitCode: 3, signal: null },
    { event: 'processClosed', process: key, session },
    { event: 'disconnected', connection, identity },
    { event: 'sessionDetached', connection, session },
    { event: 'connected', connection: other, identity },
    { event: 'sessionResumed', connection: other, session, processes: 1 },
    { event: 'disconnected', connection: other },
    { event: 'sessionDetached', connection: other, session },
    { event: 'sessionEnded', session },
    { event: 'connected' },
    { event: 'sessionMade' },
    { event: 'closed', identity, code: 1008, reason: 'it violated the protocol' },
    { event: 'disconnected' },
    { event: 'sessionDetached' },
    { event: 'gatewayStopping' },
    { event: 'gatewayStopped' },
  ]);
  expect(JSON.stringify(server.lines)).not.toContain(sessionId);
});
