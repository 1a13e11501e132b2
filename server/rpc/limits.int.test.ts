// Tests of each limit, reached and exceeded: the error is clear, the next message works, and other connections are
// unaffected (rules LI).
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
beforeEach(async () => {
  server = await TestServer.start({
    sessions: 5,
    connectionsPerToken: 3,
    commandBytes: 5000,
    argumentBytes: 2000,
    policySteps: 100_000,
    processes: 4,
    processesPerSession: 2,
    attachments: 2,
    searches: 1,
    pendingRequests: 50,
    unprovenSockets: 4,
    requestHeadMs: 300,
  });
  agent = await server.client('agent');
});
afterEach(() => server.stop());

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('[LI1] The depth of a message', () => {
  it('is limited, and messages that exceed it are refused', async () => {
    // The message, its params and the metadata are three of the 64 permitted levels.
    const start = (levels: number): Promise<unknown> =>
      agent.start(['true'], { metadata: { deep: nested(levels) } });
    await expect(start(61)).resolves.toBeDefined();
    agent.send({ id: 'deep', method: 'process/start', params: { metadata: { deep: nested(62) } } });
    const refusal = await agent.until(
      () => agent.log.find(({ error }) => error?.message.includes('levels deep')),
      'the refusal',
    );
    expect(refusal).toMatchObject({ id: -1, error: { code: -32600 } });
    agent.wire.send(`{"id":1,"method":"x","params":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`);
    await expect(start(1)).resolves.toBeDefined();
  });
});

describe('[LI1] A message', () => {
  it('closes its own connection when it has 16 MiB, and a smaller one is answered', async () => {
    const message = (bytes: number): string => {
      const empty = '{"id":"large","method":"environment/status","ignored":""}'.length;
      return `{"id":"large","method":"environment/status","ignored":"${'x'.repeat(bytes - empty)}"}`;
    };
    agent.wire.send(message(16 * 1024 * 1024 - 1));
    await agent.until(() => agent.log.find(({ id }) => id === 'large')?.result, 'the answer');
    const other = await server.client('agent');
    agent.wire.send(message(16 * 1024 * 1024));
    expect((await agent.waitClose()).code).toBe(1009);
    await expect(other.request('environment/status')).resolves.toBeDefined();
  });
});

describe('[LI2] A flood', () => {
  it('closes only its own connection, with code 4429', async () => {
    const { processId } = await agent.start(['cat'], { pipeStdin: true });
    const flooder = await server.client('agent');
    const own = await flooder.start(['cat'], { pipeStdin: true });
    const wait = (id: number): object => ({
      id: `wait ${id}`,
      method: 'process/wait',
      params: { processId: own.processId, waitMs: 60_000 },
    });
    for (let id = 1; id <= 49; id += 1) flooder.send(wait(id));
    await expect(flooder.request('environment/status')).resolves.toBeDefined();
    flooder.send(wait(50));
    flooder.send(wait(51));
    expect(await flooder.waitClose()).toEqual({ code: 4429, reason: 'more than 50 requests at once' });
    await agent.write({ processId }, 'still here');
    await agent.waitOutput(processId, 'still here');
    await expect(server.client('agent', flooder.sessionId)).resolves.toBeDefined();
  });

  it('[LI4] is answered completely when its requests are cheap, and does not delay other connections', async () => {
    const flooder = await server.client('operator');
    for (let id = 0; id < 20_000; id += 1) flooder.send({ id: `f${id}`, method: 'environment/status' });
    // This request is answered before the end of the flood.
    await agent.start(['true']);
    const answered = flooder.log.length;
    await flooder.until(() => flooder.log.some(({ id }) => id === 'f19999'), 'the last answer');
    expect(answered).toBeLessThan(20_000);
    expect(flooder.log.filter(({ id }) => String(id).startsWith('f')).map(({ id }) => id)).toEqual(
      Array.from({ length: 20_000 }, (_, id) => `f${id}`),
    );
  });
});

describe('[LI6] Processes', () => {
  it('are limited in number for one session, not counting ended ones', async () => {
    const first = await agent.start(['cat'], { pipeStdin: true });
    await agent.start(['cat'], { pipeStdin: true });
    const refused = {
      code: -32603,
      message: expect.stringContaining('2 processes are running in this session'),
    };
    await expect(agent.start(['true'])).rejects.toMatchObject(refused);
    const operator = await server.client('operator');
    await expect(operator.start(['cat'], { session: 'console', pipeStdin: true })).resolves.toBeDefined();
    await agent.request('process/terminate', { processId: first.processId });
    await agent.waitEvent(first.processId, 'process/closed');
    await expect(agent.start(['true'])).resolves.toBeDefined();
  });

  it('are limited in total number', async () => {
    const other = await server.client('agent');
    for (const client of [agent, other, agent, other]) await client.start(['cat'], { pipeStdin: true });
    const third = await server.client('operator');
    await expect(third.start(['true'])).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('4 processes are running, which is the limit'),
    });
    await expect(third.request('environment/status')).resolves.toBeDefined();
  });

  it('[LI7] are limited in retained output, and a start without room for its share is refused', async () => {
    const narrow = await TestServer.start({ retainedBytes: 1000, liveBytes: 2999 });
    try {
      const client = await narrow.client('agent');
      await client.start(['cat'], { pipeStdin: true });
      const second = await client.start(['cat'], { pipeStdin: true });
      await expect(client.start(['true'])).rejects.toMatchObject({
        code: -32603,
        message: expect.stringContaining('more than the limit of 3.0 kB in total'),
      });
      await client.request('process/terminate', { processId: second.processId });
      await client.waitEvent(second.processId, 'process/closed');
      await expect(client.start(['true'])).resolves.toBeDefined();
    } finally {
      await narrow.stop();
    }
  });

  it('[LI8] have ids of limited length', async () => {
    const start = (processId: string): Promise<unknown> => agent.start(['true'], { processId });
    await expect(start('é'.repeat(4096))).resolves.toBeDefined();
    await expect(start('é'.repeat(4097))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('params.processId: is longer than 8,192 bytes'),
    });
    await expect(start('short')).resolves.toBeDefined();
  });
});

describe('[LI13] The patterns of an environment policy', () => {
  const start = (set: Record<string, string>, includeOnly: readonly string[]): Promise<unknown> =>
    agent.start(['/bin/true'], {
      envPolicy: { inherit: 'none', ignoreDefaultExcludes: true, exclude: [], set, includeOnly },
    });

  it('are matched quickly, however many stars they have', async () => {
    const slow = start({ ['a'.repeat(60)]: 'x' }, [`${'*a'.repeat(14)}*b`]);
    await expect(slow).resolves.toBeDefined();
  });

  it('are refused when they would take too long, and so are variables that are too long', async () => {
    const costly = start({}, ['x'.repeat(100_000)]);
    await expect(costly).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('the limit is 100,000'),
    });
    const long = start({ A: 'x'.repeat(2000) }, []);
    await expect(long).rejects.toMatchObject({ message: expect.stringContaining('params.env.A has 2,003') });
    await expect(start({ A: 'x' }, ['A'])).resolves.toBeDefined();
  });
});

it('[LI13] the lookup of a program is limited in the number of folders and the length of the name', async () => {
  const start = (name: string, folders: number): Promise<unknown> =>
    agent.start([name], { env: { PATH: Array.from({ length: folders }, () => '').join(':') } });
  await expect(start('none', 1001)).rejects.toThrow('PATH has 1,001 folders, but the limit is 1,000');
  await expect(start('none', 1000)).rejects.toThrow('not found in PATH');
  await expect(start('n'.repeat(1900), 1000)).rejects.toThrow('its name is too long');
  await expect(agent.start(['true'])).resolves.toBeDefined();
});

describe('[LI10] A connection', () => {
  it('follows a limited number of processes by key, and cannot start one that it could not follow', async () => {
    const keys = [];
    for (const client of [agent, agent, await server.client('agent')])
      keys.push((await client.start(['cat'], { pipeStdin: true })).key);
    const operator = await server.client('operator');
    const attach = (key: string | undefined): Promise<unknown> => operator.request('process/attach', { key });
    await attach(keys[0]);
    await attach(keys[1]);
    const refused = { code: -32603, message: expect.stringContaining('attached to 2 processes') };
    await expect(attach(keys[2])).rejects.toMatchObject(refused);
    await expect(operator.start(['true'], { session: 'console' })).rejects.toMatchObject(refused);
    const { processes } = await operator.request<{ processes: unknown[] }>('console/watch', {});
    expect(processes).toHaveLength(3);
    await operator.request('process/detach', { key: keys[0] });
    await attach(keys[2]);
  });

  it('has a limited number of searches at once', async () => {
    const { processId } = await agent.start(['echo', 'x']);
    await agent.waitOutput(processId, 'x');
    const observer = await server.client('observer');
    const search = (): Promise<unknown> => observer.request('console/search', { query: 'x' });
    const both = await Promise.allSettled([search(), search()]);
    expect(both).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: -32603, message: expect.stringContaining('1 searches') } },
    ]);
    await expect(search()).resolves.toBeDefined();
  });
});

describe('[LI5] Sockets without authentication', () => {
  const hang = async (text: string): Promise<Socket> => {
    const socket = connect(server.addresses.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };

  it('are closed to make room for others, and after a timeout', async () => {
    const held = [];
    for (let count = 0; count < 6; count += 1) held.push(await hang('GET / HTTP/1.1\r\nHost: local'));
    await expect(server.client('operator')).resolves.toBeDefined();
    await Promise.all(held.map(async (socket) => socket.destroyed || once(socket, 'close')));
    await expect(agent.request('environment/status')).resolves.toBeDefined();
  });
});

describe('[LI1] A command line that is too long is refused', () => {
  it.each([
    [
      'for one argument',
      { argv: ['true', 'x'.repeat(1999)] },
      { argv: ['true', 'x'.repeat(2000)] },
      'params.argv[1]',
    ],
    ['for one variable', { env: { A: 'x'.repeat(1997) } }, { env: { A: 'x'.repeat(1998) } }, 'params.env.A'],
    [
      'for all arguments together',
      { argv: ['/bin/true', ...Array.from({ length: 40 }, () => 'x'.repeat(99))] },
      { argv: ['/bin/true', ...Array.from({ length: 51 }, () => 'x'.repeat(99))] },
      'params.argv with params.env',
    ],
  ])('%s', async (_what, atLimit, beyond, named) => {
    const start = (params: object): Promise<unknown> => agent.start(['/bin/true'], { ...params });
    await expect(start(atLimit)).resolves.toBeDefined();
    await expect(start(beyond)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(named),
    });
    await expect(start({})).resolves.toBeDefined();
  });
});

describe('[LI1] Connections and sessions', () => {
  it('are limited in number for one token, independently of other tokens', async () => {
    const second = await server.open('agent');
    await server.open('agent');
    await expect(TestClient.open(server.url, { token: server.token('agent') })).rejects.toThrow('429');
    await expect(server.client('operator')).resolves.toBeDefined();
    await second.cut();
    await expect
      .poll(() =>
        server.open('agent').then(
          () => 'in',
          () => 'out',
        ),
      )
      .toBe('in');
  });

  it('are limited in total number, including detached ones', async () => {
    const { sessionId } = await (await server.open('operator')).initialize();
    for (let count = 0; count < 3; count += 1) {
      const passing = await server.client('operator');
      await passing.cut();
    }
    const late = await server.open('observer');
    await expect(late.initialize()).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('5 sessions'),
    });
    await expect(agent.start(['true'])).resolves.toBeDefined();
    expect(sessionId).toEqual(expect.any(String));
  });
});
