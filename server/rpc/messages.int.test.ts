// Tests of limits that apply before a message is parsed, and of clients that only connect and disconnect:
// rules LI14 to LI16.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../testing/test-client.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let agent: TestClient;
beforeEach(async () => {
  server = await TestServer.start();
  agent = await server.client('agent');
});
afterEach(() => server.stop());

describe('[LI14] A message', () => {
  const keys = (count: number): string[] => Array.from({ length: count }, () => '');

  it('is refused before it is parsed when it has more values than the limit', async () => {
    // The other four values are the message, its id, its method and the list.
    agent.send({ id: 'most', method: 'environment/status', ignored: keys(99_996) });
    await agent.until(() => agent.log.find(({ id }) => id === 'most')?.result, 'the answer');
    agent.wire.send(
      `{"id":1,"method":"x","params":{"x":[${keys(2_600_000)
        .map(() => '[[]]')
        .join(',')}]}}`,
    );
    const refusal = await agent.until(
      () => agent.log.find(({ error }) => error?.message.includes('100,000 values')),
      'the refusal',
    );
    expect(refusal).toMatchObject({ id: -1, error: { code: -32600 } });
    await expect(agent.start(['true'])).resolves.toBeDefined();
  });

  it('[LI14] is refused before it is parsed when it has more members than the limit', async () => {
    const members = (count: number): string =>
      Array.from({ length: count }, (_, i) => `"v${i}":""`).join(',');
    // Besides the numbered ones, the first message has five members, and the second three; the limit is 10,000.
    agent.wire.send(
      `{"id":"most","method":"environment/status","ignored":{${members(9996)}},"other":{"x":1}}`,
    );
    agent.wire.send(`{"id":"met","method":"environment/status","ignored":{${members(9997)}}}`);
    await agent.until(() => agent.log.find(({ id }) => id === 'met')?.result, 'the answer');
    const env = agent.start(['true'], {
      env: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [i, ''])),
    });
    env.catch(() => undefined);
    const refusals = await agent.until(() => {
      const found = agent.log.filter(({ error }) => error?.message.includes('10,000 object members'));
      return found.length === 2 ? found : undefined;
    }, 'the refusals');
    expect(refusals.map(({ id }) => id)).toEqual([-1, -1]);
    await expect(agent.start(['true'])).resolves.toBeDefined();
  });

  it('[LI14] closes the connection of an observer when it reaches 256 KiB', async () => {
    const observer = await server.client('observer');
    const large = { id: 1, method: 'console/watch', ignored: 'x'.repeat(255 * 1024) };
    observer.send(large);
    await observer.until(() => observer.log.find(({ id }) => id === 1), 'the answer');
    observer.send({ ...large, more: 'x'.repeat(1024) });
    expect((await observer.waitClose()).code).toBe(1009);
    await expect(agent.request('environment/status')).resolves.toBeDefined();
  });
});

describe('[LI15] A message that does not end', () => {
  const begin = (client: TestClient, bytes: number): void =>
    client.ws.send(Buffer.alloc(bytes, ' '), { binary: false, fin: false });

  it('counts towards the limit on pending bytes of all connections', async () => {
    const narrow = await TestServer.start({ backlogBytes: 4_000_000 });
    try {
      const [first, second, third] = [
        await narrow.client('agent'),
        await narrow.client('agent'),
        await narrow.client('operator'),
      ];
      begin(first, 2_500_000);
      begin(second, 1_900_000);
      expect((await first.waitClose()).code).toBe(4429);
      await expect(third.request('environment/status')).resolves.toBeDefined();
      expect(second.closeInfo).toBeNull();
    } finally {
      await narrow.stop();
    }
  });

  it('closes its connection after a timeout, but connections that only answer pings stay open', async () => {
    const impatient = await TestServer.start({ messageMs: 200, pingMs: 50 });
    try {
      const [slow, quiet] = [await impatient.client('agent'), await impatient.client('agent')];
      begin(slow, 1000);
      expect(await slow.waitClose()).toEqual({
        code: 4429,
        reason: 'a message took more than 0.2 s to arrive',
      });
      await expect(quiet.request('environment/status')).resolves.toBeDefined();
    } finally {
      await impatient.stop();
    }
  });
});

describe('Sessions', () => {
  it('[LI16] are limited in number per token when they have no process, and the oldest are dropped first', async () => {
    const narrow = await TestServer.start({ emptySessionsPerToken: 2 });
    try {
      for (let count = 0; count < 3; count += 1) await (await narrow.client('observer')).cut();
      const busy = await narrow.client('agent');
      await busy.start(['cat'], { pipeStdin: true });
      await busy.cut();
      const idle = [];
      for (let count = 0; count < 4; count += 1) {
        const client = await narrow.client('agent');
        await client.cut();
        idle.push(client.sessionId);
      }
      const watcher = await narrow.client('observer');
      const left = async (): Promise<number> =>
        (await watcher.request<{ sessions: unknown[] }>('console/watch', {})).sessions.length;
      // The remaining sessions are the console's, the watcher's, the busy one and two idle ones.
      await expect.poll(left).toBe(5);
      await expect(narrow.client('agent', idle[0])).rejects.toThrow('unknown session id');
      for (const session of [busy.sessionId, idle[2], idle[3]])
        await expect(narrow.client('agent', session)).resolves.toBeDefined();
    } finally {
      await narrow.stop();
    }
  });
});
