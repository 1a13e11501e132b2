// Tests that one token cannot use up a shared resource that others need: rules LI18 and AU5.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { TestClient } from './testing/test-client.ts';
import { hello } from './testing/mcp-visits.ts';
import { TestServer } from './testing/test-server.ts';
import type { Reported } from './testing/reporting-gateway.ts';

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each();
});

async function served(limits: Parameters<typeof TestServer.start>[0]): Promise<TestServer> {
  const server = await TestServer.start(limits);
  undo.push(() => server.stop());
  return server;
}

/** Resolves with a client that has the token of another agent. */
async function stranger(server: TestServer): Promise<TestClient> {
  const admin = await server.client('admin');
  const { token } = await admin.request<{ token: string }>('console/createToken', {
    name: 'stranger',
    role: 'agent',
    ttlMs: null,
  });
  const client = await TestClient.open(server.url, { token });
  await client.initialize();
  return client;
}

const refused = (what: string) => ({ code: -32603, message: expect.stringContaining(what) as string });

describe('[LI18] Process slots', () => {
  it('are limited to half for one token and nine tenths for agents, and the rest is for operators', async () => {
    const server = await served({ processes: 20, processesPerSession: 10 });
    const cat = (client: TestClient) => client.start(['cat'], { pipeStdin: true });
    const [first, second] = [await server.client('agent'), await server.client('agent')];
    for (let count = 0; count < 5; count += 1) {
      await cat(first);
      await cat(second);
    }
    for (const client of [first, second])
      await expect(cat(client)).rejects.toMatchObject(
        refused('this token may have at most 10 running processes at a time and has 10'),
      );
    const other = await stranger(server);
    for (let count = 0; count < 8; count += 1) await cat(other);
    await expect(cat(other)).rejects.toMatchObject(refused('2 more are reserved for operators and admins'));
    const operator = await server.client('operator');
    const { key } = await cat(operator);
    await operator.start(['cat'], { session: 'console', pipeStdin: true });
    await expect(cat(operator)).rejects.toMatchObject(refused('20 processes are running'));
    await operator.request('process/terminate', { key, graceMs: 0 });
    await operator.request('process/wait', { key, until: 'closed', waitMs: 10_000 });
    await expect(cat(operator)).resolves.toBeDefined();
  });
});

describe('[LI18] Sessions', () => {
  it('are limited for one token, even when each has a process that has just ended', async () => {
    const server = await served({ sessions: 20 });
    for (let count = 0; count < 10; count += 1) {
      const client = await server.client('agent');
      const { processId } = await client.start(['true']);
      await client.waitEvent(processId, 'process/closed');
      await client.cut();
    }
    const late = await server.open('agent');
    await expect(late.initialize()).rejects.toMatchObject(
      refused('this token may have at most 10 sessions at a time and has 10'),
    );
    await expect(server.client('operator')).resolves.toBeDefined();
  });
});

describe('[LI18] http/request', () => {
  async function neverAnswers(): Promise<{ url: string; hangUp: () => void }> {
    const server = createServer(() => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    undo.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return { url, hangUp: () => server.closeAllConnections() };
  }
  const request = (url: string, more: object = {}) => ({
    method: 'GET',
    url,
    headers: [],
    requestId: 'r',
    ...more,
  });

  it('is limited for one token over all its connections, and possible again when one has ended', async () => {
    const server = await served({ httpRequestsInAll: 20 });
    const { url, hangUp } = await neverAnswers();
    const [first, second] = [await server.client('agent'), await server.client('agent')];
    const waiting = Array.from({ length: 10 }, (_, at) =>
      (at % 2 === 0 ? first : second).request('http/request', request(url)),
    );
    const ended = Promise.allSettled(waiting);
    // The reply shows that the earlier requests of this connection are in progress.
    await first.request('environment/status');
    await expect(second.request('http/request', request(url))).rejects.toMatchObject(
      refused('this token may have at most 10 HTTP requests at a time and has 10'),
    );
    const operator = await server.client('operator');
    const waits = operator.request('http/request', request(url, { timeoutMs: 50 }));
    await expect(waits).rejects.toMatchObject(refused('no complete response within 50 ms'));
    hangUp();
    await ended;
    const again = second.request('http/request', request(url, { timeoutMs: 50 }));
    await expect(again).rejects.toMatchObject(refused('no complete response within 50 ms'));
  });

  it('is limited in the total size of one token’s bodies', async () => {
    const server = await served({ httpBytesInAll: 200_000 });
    const { url } = await neverAnswers();
    const bodyBase64 = Buffer.alloc(60_000).toString('base64');
    const [first, second] = [await server.client('agent'), await server.client('agent')];
    first.request('http/request', request(url, { bodyBase64 })).catch(() => undefined);
    await first.request('environment/status');
    await expect(second.request('http/request', request(url, { bodyBase64 }))).rejects.toMatchObject(
      refused('this token may have at most 100,000 bytes of HTTP bodies at a time and has 60,000'),
    );
  });
});

describe('[LI18] Descriptors under a limit of 512', () => {
  const DESCRIPTORS = 512;
  const LIMITED = ['prlimit', `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`] as const;
  let child: ChildProcessWithoutNullStreams;

  async function reportingGateway(): Promise<Reported> {
    const script = join(import.meta.dirname, 'testing/reporting-gateway.ts');
    const node = [process.execPath, '--expose-gc', '--import', 'tsx', script];
    const [command, ...limits] = LIMITED;
    child = spawn(command, [...limits, ...node]);
    undo.push(async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return JSON.parse(String((await lines.next()).value)) as Reported;
  }

  it.skipIf(process.platform !== 'linux')(
    'are limited for one token, so that an operator can still connect, work and revoke it',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'exec-console-descriptors-'));
      undo.push(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'file'), 'content');
      const reported = await reportingGateway();
      const open = async (role: keyof Reported['tokens']): Promise<TestClient> => {
        const client = await TestClient.open(reported.url, { token: reported.tokens[role] });
        undo.push(() => client.ws.terminate());
        await client.initialize();
        return client;
      };
      const openFile = (client: TestClient, handleId: string) =>
        client.request('fs/open', { path: `file://${folder}/file`, handleId });
      const agents = [await open('agent'), await open('agent'), await open('agent')];
      const outcomes: string[] = [];
      for (let count = 0; count < 100; count += 1) {
        for (const agent of agents)
          outcomes.push(
            await openFile(agent, `h${count}`).then(
              () => 'open',
              (error: Error) => error.message,
            ),
          );
      }
      const opened = outcomes.filter((each) => each === 'open').length;
      expect(opened).toBeGreaterThan(60);
      expect(opened).toBeLessThan(DESCRIPTORS / 4);
      expect(outcomes.at(-1)).toContain(
        'fs/open: this token may have at most 128 descriptors at a time and has 128',
      );
      await expect(agents[0]?.start(['true'])).rejects.toMatchObject(refused('at most 128 descriptors'));
      await expect(TestClient.open(reported.url, { token: reported.tokens.agent })).rejects.toThrow('429');
      const admin = await open('admin');
      await openFile(admin, 'h');
      await admin.start(['true']);
      const { tokens } = await admin.request<{ tokens: { id: string; role: string }[] }>(
        'console/tokens',
        {},
      );
      const id = tokens.find(({ role }) => role === 'agent')?.id;
      await admin.request('console/revokeToken', { id });
      for (const agent of agents) expect((await agent.waitClose()).code).toBe(4401);
      await openFile(admin, 'after');
    },
  );

  it.skipIf(process.platform !== 'linux')('[LI18][AU5] also count the connections to /mcp', async () => {
    const reported = await reportingGateway();
    const url = `${reported.url.replace('ws', 'http')}/mcp`;
    const headers = {
      authorization: `Bearer ${reported.tokens.agent}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const begun = await fetch(url, { method: 'POST', headers, body: JSON.stringify(hello('test')) });
    const session = { ...headers, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    const streams: Response[] = [];
    for (let count = 0; count < 200; count += 1) streams.push(await fetch(url, { headers: session }));
    const held = streams.filter(({ status }) => status === 200);
    expect(held.length).toBeGreaterThan(100);
    expect(held.length).toBeLessThanOrEqual(DESCRIPTORS / 4);
    expect(await streams.at(-1)?.text()).toContain('at most 128 descriptors');
    const admin = await TestClient.open(reported.url, { token: reported.tokens.admin });
    undo.push(() => admin.ws.terminate());
    await admin.initialize();
    const { tokens } = await admin.request<{ tokens: { id: string; role: string }[] }>('console/tokens', {});
    await admin.request('console/revokeToken', { id: tokens.find(({ role }) => role === 'agent')?.id });
    for (const each of held) await expect(each.text()).rejects.toThrow('terminated');
  });
});
