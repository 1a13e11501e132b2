// Tests of one peer over one channel: rules SE6 and ST2, and the limits on a connection (rules LI).
import { describe, expect, it } from 'vitest';
import { ChannelPair } from '../testing/channel-pair.ts';
import { Backlog } from './backlog.ts';
import { Connection, type Answerer } from './connection.ts';
import { invalidParams, ProtocolViolation } from './rpc-error.ts';

const limits = {
  messageValues: 100,
  messageMembers: 100,
  pendingRequests: 3,
  pendingBytes: 1000,
  socketLimitBytes: 1000,
  lastRepliesMs: 20,
  backlogBytes: 2000,
  socketHighWaterBytes: 0,
};

function connect(answerer: Partial<Answerer> = {}, backlog = new Backlog(limits)) {
  const channel = new ChannelPair();
  const defects: unknown[] = [];
  const log: string[] = [];
  const outcomes: string[] = [];
  const connection = new Connection(channel, limits, backlog, (_method, error) => defects.push(error));
  connection.serve(
    {
      request: (method) => ({ method }),
      notification: () => {},
      malformed: () => {},
      closed: () => log.push('closed'),
      ...answerer,
    },
    (method, outcome) => outcomes.push(`${method}: ${outcome}`),
  );
  return { channel, connection, defects, log, outcomes };
}

describe('Connection', () => {
  it('answers each request with its own id', () => {
    const { channel, outcomes } = connect();
    for (const id of [1, 0, -5, '', 'abc']) channel.push({ id, method: 'm' });
    expect(channel.received.map(({ id }) => id)).toEqual([1, 0, -5, '', 'abc']);
    expect(outcomes).toEqual(channel.received.map(() => 'm: ok'));
  });

  it.each([
    'not json',
    '',
    '[]',
    '5',
    'null',
    '{}',
    '{"id":1}',
    '{"method":5}',
    '{"id":null,"method":"m"}',
    '{"id":1.5,"method":"m"}',
  ])('[SE6] answers %j with an error of id -1, and stays open', (text) => {
    const { channel } = connect();
    channel.push(text);
    channel.push({ id: 7, method: 'm' });
    expect(channel.received).toMatchObject([{ id: -1, error: { code: -32600 } }, { id: 7 }]);
    expect(channel.closedWith).toBeNull();
  });

  it('[SE6] is closed by a reply, because it sends no requests', () => {
    const { channel, log } = connect();
    channel.push({ id: 1, result: {} });
    expect(channel.closedWith?.code).toBe(1008);
    expect(log).toEqual(['closed']);
  });

  it('[SE6] is closed by a notification that is not allowed, and ignores messages after it', () => {
    const { channel } = connect({
      notification: () => {
        throw new ProtocolViolation('no');
      },
    });
    channel.push({ method: 'x' });
    channel.push({ id: 1, method: 'm' });
    expect(channel.closedWith).toEqual({ code: 1008, reason: 'no' });
    expect(channel.received).toEqual([]);
  });

  it('reports an expected error with its code, and a defect without internals', async () => {
    const { channel, defects } = connect({
      request: (method) => {
        if (method === 'expected') throw invalidParams('params.x: is missing');
        return Promise.reject(new Error('secret inside'));
      },
    });
    channel.push({ id: 1, method: 'expected' });
    channel.push({ id: 2, method: 'defect' });
    await Promise.resolve();
    await Promise.resolve();
    expect(channel.received).toEqual([
      { id: 1, error: { code: -32602, message: 'params.x: is missing' } },
      { id: 2, error: { code: -32603, message: 'defect failed inside the gateway' } },
    ]);
    expect(defects).toHaveLength(1);
  });

  it('[LI11] answers with an error when a result cannot be serialized', async () => {
    const tooLong = {
      toJSON: (): never => {
        throw new RangeError('Invalid string length');
      },
    };
    const { channel, defects, outcomes } = connect({
      request: (method) => (method === 'later' ? Promise.resolve(tooLong) : tooLong),
    });
    channel.push({ id: 1, method: 'now' });
    channel.push({ id: 2, method: 'later' });
    await expect.poll(() => channel.received.length).toBe(2);
    expect(channel.received).toMatchObject([
      { id: 1, error: { code: -32603 } },
      { id: 2, error: { code: -32603 } },
    ]);
    expect(defects).toHaveLength(2);
    expect(outcomes).toEqual(['now: error', 'later: error']);
  });

  it('[LI2] is closed by one request more than the limit on pending requests', () => {
    const { channel } = connect({ request: () => new Promise(() => {}) });
    for (let id = 1; id <= 3; id += 1) channel.push({ id, method: 'wait' });
    expect(channel.closedWith).toBeNull();
    channel.push({ id: 4, method: 'wait' });
    expect(channel.closedWith).toEqual({ code: 4429, reason: 'more than 3 requests at once' });
  });

  it('[LI2] is closed by more bytes of pending requests than the limit', async () => {
    let answer: (value: unknown) => void = () => {};
    const { channel } = connect({ request: () => new Promise((resolve) => (answer = resolve)) });
    const request = (id: number, length: number): object => {
      const empty = JSON.stringify({ id, method: 'wait', params: '' }).length;
      return { id, method: 'wait', params: 'x'.repeat(length - empty) };
    };
    channel.push(request(1, 400));
    channel.push(request(2, 600));
    expect(channel.closedWith).toBeNull();
    answer('the second');
    await new Promise((resolve) => setImmediate(resolve));
    channel.push(request(3, 600));
    expect(channel.closedWith).toBeNull();
    channel.push({ id: 4, method: 'wait' });
    expect(channel.closedWith).toEqual({ code: 4429, reason: 'more than 1,000 bytes of requests at once' });
  });

  it('[LI3] is closed when all connections together have too much pending and it has the most', () => {
    const backlog = new Backlog(limits);
    const waiting = { request: () => new Promise(() => {}) };
    const [small, large, last] = [
      connect(waiting, backlog),
      connect(waiting, backlog),
      connect(waiting, backlog),
    ];
    const push = ({ channel }: typeof small, bytes: number): void =>
      channel.push({ id: 1, method: 'm', params: 'x'.repeat(bytes) });
    push(small, 300);
    push(large, 900);
    push(last, 600);
    expect([small, large, last].map(({ channel }) => channel.closedWith)).toEqual([null, null, null]);
    push(small, 300);
    expect(large.channel.closedWith).toMatchObject({
      code: 4429,
      reason: expect.stringContaining('2,000 bytes are waiting on all connections'),
    });
    // The bytes of the closed connection no longer count.
    push(small, 300);
    expect([small, last].map(({ channel }) => channel.closedWith)).toEqual([null, null]);
  });

  it('[LI15] is closed when all unfinished messages together are too large and its own is the largest', () => {
    const backlog = new Backlog(limits);
    const [small, large, last] = [connect({}, backlog), connect({}, backlog), connect({}, backlog)];
    small.channel.arrive(300);
    large.channel.arrive(900);
    last.channel.arrive(800);
    expect([small, large, last].map(({ channel }) => channel.closedWith)).toEqual([null, null, null]);
    small.channel.arrive(400);
    expect(large.channel.closedWith).toMatchObject({
      code: 4429,
      reason: expect.stringContaining('2,000 bytes are waiting on all connections'),
    });
    expect([small, last].map(({ channel }) => channel.closedWith)).toEqual([null, null]);
  });

  it('resolves `taken` when the peer has received everything that was sent', async () => {
    const { channel, connection } = connect();
    await connection.taken(0);
    channel.stall();
    channel.push({ id: 1, method: 'm' });
    let isTaken = false;
    const taken = connection.taken(0).then(() => (isTaken = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTaken).toBe(false);
    // An open window does not mean that everything was received.
    channel.open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTaken).toBe(false);
    channel.flow();
    await taken;
  });

  it('[ST2] answers pending requests after the end of input, and then closes', async () => {
    let answer: (value: unknown) => void = () => {};
    const { channel, connection, log } = connect({
      request: () => new Promise((resolve) => (answer = resolve)),
    });
    channel.push({ id: 1, method: 'wait' });
    channel.end();
    expect(connection.isEnding).toBe(true);
    expect([channel.closedWith, log]).toEqual([null, []]);
    answer('late');
    await new Promise((resolve) => setImmediate(resolve));
    expect(channel.received).toEqual([{ id: 1, result: 'late' }]);
    expect(channel.closedWith?.code).toBe(1000);
    expect(log).toEqual(['closed']);
  });

  it('[ST2] closes at the end of input: at once when nothing is pending, and after a timeout otherwise', async () => {
    const idle = connect();
    idle.channel.end();
    expect(idle.channel.closedWith?.code).toBe(1000);
    const closed = new Promise<void>((resolve) => {
      const { channel } = connect({ request: () => new Promise(() => {}), closed: resolve });
      channel.push({ id: 1, method: 'never' });
      channel.end();
    });
    await closed;
  });

  it('[LI3] is closed when its peer sends requests and never reads', () => {
    const { channel } = connect();
    channel.stall();
    for (let id = 1; id <= 100; id += 1) channel.push({ id, method: 'm' });
    expect(channel.closedWith).toMatchObject({ code: 4429, reason: expect.stringContaining('1,000 bytes') });
    expect(channel.unsentBytes).toBeLessThan(1100);
  });
});
