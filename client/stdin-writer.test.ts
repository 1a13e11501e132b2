// Input arrives once and in order, or its outcome is reported.
import { describe, expect, it } from 'vitest';
import { NotOnline, type WriteOutcome } from './exec-client.ts';
import { createExecClient } from './create-client.ts';
import { RpcClient } from './rpc-client.ts';
import { StdinWriter, WAITING_BYTES } from './stdin-writer.ts';
import { FakeGateway } from './testing/fake-gateway.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';
import { bytesOf } from './testing/recording-sink.ts';

async function make() {
  const runtime = new ManualRuntime();
  const gateway = new FakeGateway({ runtime });
  const fake = gateway.start('p');
  const { connection, processes } = createExecClient({ socket: gateway.dial, clientName: 'test', runtime });
  connection.open();
  await runtime.advance(10);
  const remote = processes.attach('p');
  await runtime.advance(10);
  const outcomes: (WriteOutcome | Error)[] = [];
  const write = (text: string): void => {
    remote.write(bytesOf(text)).then(
      (outcome) => outcomes.push(outcome),
      (error: Error) => outcomes.push(error),
    );
  };
  const typed = (): string => fake.stdin.join('');
  return { runtime, gateway, fake, connection, processes, remote, outcomes, write, typed };
}

describe('A write to stdin', () => {
  it('arrives in order, numbered from one', async () => {
    const { runtime, gateway, write, typed, outcomes } = await make();
    for (const text of ['a', 'b', 'c']) write(text);
    await runtime.advance(10);
    expect(typed()).toBe('abc');
    expect(outcomes).toEqual(['accepted', 'accepted', 'accepted']);
    const writes = gateway.requests.filter(({ method }) => method === 'process/write');
    expect(writes.map(({ params }) => params['writeId'])).toEqual(['1', '2', '3']);
  });

  it('is repeated after a resume when its answer was lost, and arrives once', async () => {
    const { runtime, gateway, write, typed, outcomes } = await make();
    write('a');
    // The gateway receives the writes, but its replies are lost.
    gateway.socket.push = () => undefined;
    await runtime.advance(10);
    expect(typed()).toBe('a');
    expect(outcomes).toEqual([]);
    gateway.socket.cut();
    await runtime.advance(300);
    write('b');
    await runtime.advance(10);
    expect(gateway.countOf('process/write')).toBe(3);
    expect(typed()).toBe('ab');
    expect(outcomes).toEqual(['accepted', 'accepted']);
  });

  it('is repeated after a resume when it never arrived', async () => {
    const { runtime, gateway, write, typed, outcomes } = await make();
    write('a');
    write('b');
    gateway.socket.cut();
    await runtime.advance(300);
    expect(typed()).toBe('ab');
    expect(outcomes).toEqual(['accepted', 'accepted']);
  });

  it('is in doubt, and not repeated, when the session is lost', async () => {
    const { runtime, gateway, write, typed, outcomes } = await make();
    write('a');
    gateway.socket.cut();
    gateway.forgetSessions();
    await runtime.advance(300);
    expect(outcomes).toEqual(['inDoubt']);
    write('b');
    await runtime.advance(10);
    expect(typed()).toBe('b');
    expect(outcomes).toEqual(['inDoubt', 'accepted']);
  });

  it('is in doubt when the connection is closed for good', async () => {
    const { runtime, connection, write, outcomes } = await make();
    write('a');
    await Promise.resolve();
    connection.close();
    await runtime.advance(10);
    expect(outcomes).toEqual(['inDoubt']);
  });

  it('is refused, and not sent later, while offline', async () => {
    const { runtime, gateway, write, typed, outcomes, remote } = await make();
    gateway.socket.cut();
    write('a');
    await expect(remote.closeStdin()).rejects.toThrow(NotOnline);
    await runtime.advance(300);
    expect(outcomes).toEqual([expect.any(NotOnline)]);
    expect(typed()).toBe('');
  });

  it('continues the numbering after a detach, so that it is not taken for an earlier one', async () => {
    const { runtime, processes, remote, write, typed } = await make();
    write('a');
    await runtime.advance(10);
    remote.detach();
    const again = processes.attach('p').write(bytesOf('b'));
    await runtime.advance(10);
    expect(await again).toBe('accepted');
    expect(typed()).toBe('ab');
  });

  it('is combined with others into few requests while earlier ones are unanswered', async () => {
    const { runtime, gateway, write, typed, outcomes } = await make();
    const text = Array.from({ length: 1000 }, (_, n) => `${n} `);
    text.forEach(write);
    await runtime.advance(50);
    expect(typed()).toBe(text.join(''));
    expect(outcomes).toHaveLength(1000);
    expect(gateway.countOf('process/write')).toBeLessThan(40);
  });

  it('is split when it is long, and has one outcome', async () => {
    const { runtime, gateway, write, typed, outcomes } = await make();
    const text = 'x'.repeat(300_000);
    write(text);
    write('');
    await runtime.advance(50);
    expect(typed()).toBe(text);
    expect(outcomes).toEqual(['accepted', 'accepted']);
    expect(gateway.countOf('process/write')).toBeGreaterThan(4);
  });

  it('is refused when it exceeds the limit on waiting bytes', async () => {
    const { remote } = await make();
    await expect(remote.write(new Uint8Array(WAITING_BYTES + 1))).rejects.toThrow('at most 16 MiB of input');
  });

  it('arrives before the end of stdin, which is sent only once', async () => {
    const { runtime, gateway, fake, remote, write, typed, outcomes } = await make();
    write('x'.repeat(100_000));
    const closing = remote.closeStdin();
    write('too late');
    await runtime.advance(50);
    expect(await closing).toBe('accepted');
    expect(fake.stdinClosed).toBe(true);
    expect(typed()).toHaveLength(100_000);
    expect(outcomes).toEqual(['accepted', 'stdinClosed']);
    const again = remote.closeStdin();
    await Promise.resolve();
    gateway.socket.cut();
    await runtime.advance(300);
    expect(await again).toBe('inDoubt');
    expect(gateway.countOf('process/closeStdin')).toBe(1);
  });

  it('is sent in a separate request when it has waited together with the end of stdin', () => {
    const sent: unknown[] = [];
    const rpc = new RpcClient({
      socket: {
        send: (text) => sent.push((JSON.parse(text) as { method: unknown }).method),
        addEventListener: () => {},
      },
      follower: { notification: () => true },
      reported: () => {},
    });
    const writer = new StdinWriter({ key: 'p' });
    void writer.write(bytesOf('last line'));
    void writer.closeStdin();
    writer.online(rpc, true);
    expect(sent).toEqual(['process/write', 'process/closeStdin']);
  });

  it('reports that the process is unknown', async () => {
    const { runtime, gateway, write, outcomes } = await make();
    gateway.remove('p');
    write('a');
    await runtime.advance(10);
    expect(outcomes).toEqual(['unknownProcess']);
  });
});
