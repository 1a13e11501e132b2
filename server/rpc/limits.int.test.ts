// Each limit at its edge and beyond: a clear error, the next message works, and nobody else notices: rule LI1.
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
  });
  agent = await server.client('agent');
});
afterEach(() => server.stop());

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('[LI1] depth', () => {
  it('lets through what is deep, and refuses what is deeper', async () => {
    // The message, its params and the metadata are three levels.
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

describe('[LI1] command lines', () => {
  it.each([
    [
      'an argument',
      { argv: ['true', 'x'.repeat(1999)] },
      { argv: ['true', 'x'.repeat(2000)] },
      'params.argv[1]',
    ],
    ['a variable', { env: { A: 'x'.repeat(1997) } }, { env: { A: 'x'.repeat(1998) } }, 'params.env.A'],
    [
      'all together',
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

describe('[LI1] connections and sessions', () => {
  it('of one token are so many; another token’s are not fewer for it', async () => {
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

  it('are so many in all, the detached ones too, and a resume needs no room', async () => {
    const { sessionId } = await (await server.open('operator')).initialize();
    for (let count = 0; count < 3; count += 1) {
      const passing = await server.client('observer');
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
