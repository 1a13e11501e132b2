// Tests of a connection with a simulated gateway and clock.
import { describe, expect, it } from 'vitest';
import { CloseCode } from '../protocol/console-constants.ts';
import { createExecClient, type ExecClientOptions } from './create-client.ts';
import { ConnectionLost, NotOnline, RequestError } from './exec-client.ts';
import { LIVENESS } from './liveness.ts';
import { FakeGateway } from './testing/fake-gateway.ts';
import { ManualRuntime } from './testing/manual-runtime.ts';

function make(options: Partial<ExecClientOptions> = {}) {
  const runtime = new ManualRuntime();
  const gateway = new FakeGateway({ runtime });
  const { connection } = createExecClient({
    socket: gateway.dial,
    clientName: 'test',
    runtime,
    ...options,
  });
  const kinds: string[] = [];
  connection.onState(({ kind }) => kinds.push(kind));
  return { runtime, gateway, connection, kinds };
}

async function makeOnline(options: Partial<ExecClientOptions> = {}) {
  const made = make(options);
  made.connection.open();
  await made.runtime.advance(10);
  expect(made.connection.state.kind).toBe('online');
  made.kinds.length = 0;
  return made;
}

describe('A connection', () => {
  it('goes online with its label, role and environment', async () => {
    const { runtime, connection, kinds } = make();
    connection.open();
    connection.open();
    await runtime.advance(10);
    expect(kinds).toEqual(['connecting', 'initializing', 'online']);
    expect(connection.state).toMatchObject({
      connection: 'c1',
      role: 'operator',
      environment: { shell: { path: '/bin/sh' } },
    });
  });

  it('resumes the same session after a cut, under another label', async () => {
    const { runtime, gateway, connection, kinds } = await makeOnline();
    const before = connection.state;
    gateway.socket.cut();
    expect(connection.state).toMatchObject({ kind: 'waiting', attempt: 1, reason: 'the connection was cut' });
    await runtime.advance(300);
    expect(kinds).toEqual(['waiting', 'connecting', 'initializing', 'online']);
    expect(connection.state).toMatchObject({ connection: 'c2' });
    expect(connection.state).toHaveProperty('session', before.kind === 'online' && before.session);
  });

  it('starts a new session when the gateway no longer has its session', async () => {
    const { runtime, gateway, connection } = await makeOnline();
    gateway.forgetSessions();
    gateway.socket.cut();
    await runtime.advance(300);
    expect(connection.state).toMatchObject({ kind: 'online', session: expect.stringContaining('of c2') });
  });

  it('starts a new session when its own is still attached to the lost connection', async () => {
    const { runtime, gateway, connection } = await makeOnline();
    gateway.socket.isSilent = true;
    connection.retryNow();
    await runtime.advance(LIVENESS.answerMs + 500);
    expect(connection.state).toMatchObject({ kind: 'online', session: expect.stringContaining('of c2') });
    expect(gateway.countOf('initialize')).toBe(3);
  });

  it('survives retryNow when its answers are slow', async () => {
    const { runtime, gateway, connection, kinds } = await makeOnline();
    gateway.socket.isSilent = true;
    connection.retryNow();
    await runtime.advance(LIVENESS.answerMs - 500);
    gateway.socket.isSilent = false;
    gateway.socket.push('{"method":"of the chunk before"}');
    await runtime.advance(LIVENESS.answerMs);
    expect(kinds).toEqual([]);
  });

  it('reconnects within seconds when retryNow is called right after a sleep', async () => {
    const { runtime, gateway, connection } = await makeOnline();
    gateway.socket.isSilent = true;
    runtime.sleep(3_600_000);
    connection.retryNow();
    await runtime.advance(LIVENESS.wokenAnswerMs + 500);
    expect(connection.state).toMatchObject({ kind: 'online', connection: 'c2' });
  });

  it('retries at growing intervals while the gateway is unreachable, and at once on retryNow', async () => {
    const { runtime, gateway, connection } = await makeOnline();
    gateway.isUp = false;
    gateway.socket.cut();
    await runtime.advance(60_000);
    const calls = gateway.sockets.length;
    expect(calls).toBeGreaterThan(8);
    expect(calls).toBeLessThan(20);
    expect(connection.state).toMatchObject({ kind: 'waiting', reason: 'the gateway cannot be reached' });
    gateway.isUp = true;
    connection.retryNow();
    await runtime.advance(10);
    expect(connection.state.kind).toBe('online');
  });

  it('abandons a socket that opens and stays silent', async () => {
    const { runtime, gateway, connection } = make();
    connection.open();
    gateway.socket.isSilent = true;
    await runtime.advance(15_000);
    expect(connection.state).toMatchObject({ kind: 'waiting', attempt: 2 });
  });

  it('is replaced when it is dead, but not when it is only idle', async () => {
    const { runtime, gateway, connection, kinds } = await makeOnline();
    await runtime.advance(300_000);
    expect(kinds).toEqual([]);
    expect(gateway.countOf('environment/status')).toBeGreaterThan(10);
    gateway.socket.isSilent = true;
    await runtime.advance(26_000);
    expect(kinds.slice(0, 2)).toEqual(['waiting', 'connecting']);
    expect(connection.state.kind).toBe('online');
    expect(gateway.sockets).toHaveLength(2);
  });

  it('reports the end of a silence to a listener that unsubscribes', async () => {
    const { runtime, gateway, connection } = await makeOnline();
    const reported: boolean[] = [];
    const stop = connection.watchSilence((sinceMs) => reported.push(sinceMs !== null));
    gateway.socket.isSilent = true;
    await runtime.advance(5000);
    expect(reported).toEqual([true]);
    stop();
    expect(reported).toEqual([true, false]);
  });

  it('reconnects within seconds after a sleep', async () => {
    const { runtime, gateway, connection } = await makeOnline();
    gateway.socket.isSilent = true;
    runtime.sleep(3_600_000);
    await runtime.advance(2500);
    expect(connection.state).toMatchObject({ kind: 'online', connection: 'c2' });
  });

  it('retries at once after a sleep, however long its delay was', async () => {
    const { runtime, gateway, connection } = await makeOnline();
    gateway.isUp = false;
    gateway.socket.cut();
    await runtime.advance(60_000);
    gateway.isUp = true;
    runtime.sleep(60_000);
    await runtime.advance(0);
    expect(connection.state.kind).toBe('online');
  });

  it('stays online when its socket has survived the sleep', async () => {
    const { runtime, kinds } = await makeOnline();
    runtime.sleep(3_600_000);
    await runtime.advance(10_000);
    expect(kinds).toEqual([]);
  });

  it.each([CloseCode.unauthorized, CloseCode.policyViolation, CloseCode.protocolMismatch])(
    'fails for good when the gateway closes it with code %i',
    async (code) => {
      const { runtime, gateway, connection } = await makeOnline();
      gateway.socket.closeByGateway(code, 'go away');
      await runtime.advance(100_000);
      expect(connection.state).toEqual({ kind: 'failed', reason: 'go away' });
      expect(gateway.sockets).toHaveLength(1);
      expect(runtime.timerCount).toBe(0);
    },
  );

  it.each([
    ['the gateway goes away', CloseCode.goingAway],
    ['it has asked too much', CloseCode.flooded],
  ])('reconnects when %s', async (reason, code) => {
    const { runtime, gateway, connection } = await makeOnline();
    gateway.socket.closeByGateway(code, reason);
    await runtime.advance(0);
    expect(connection.state).toMatchObject({ kind: 'waiting', reason });
    await runtime.advance(300);
    expect(connection.state.kind).toBe('online');
  });

  it.each(['refused', 'unreachable'] as const)(
    'probes for the reason when a socket did not open: %s',
    async (failure) => {
      const { runtime, gateway, connection } = make({ probe: () => Promise.resolve(failure) });
      gateway.isUp = false;
      connection.open();
      await runtime.advance(5);
      expect(connection.state.kind).toBe(failure === 'refused' ? 'failed' : 'waiting');
    },
  );

  it('stays online when the probe of an earlier socket reports late that it was refused', async () => {
    let answer: (failure: 'refused') => void = () => {};
    const probe = (): Promise<'refused'> => new Promise((resolve) => (answer = resolve));
    const { runtime, gateway, connection } = make({ probe });
    gateway.isUp = false;
    connection.open();
    await runtime.advance(5);
    gateway.isUp = true;
    connection.retryNow();
    await runtime.advance(10);
    answer('refused');
    await runtime.advance(10);
    expect(connection.state.kind).toBe('online');
  });

  it('keeps retrying when the probe fails', async () => {
    const { runtime, gateway, connection } = make({ probe: () => Promise.reject(new Error('offline')) });
    gateway.isUp = false;
    connection.open();
    await runtime.advance(5);
    expect(connection.state.kind).toBe('waiting');
  });

  it.each([
    ['another protocol', { protocolVersion: 'exec-server.v9' }],
    ['no console', { console: undefined }],
    ['no environment', { environmentInfo: null }],
  ])('fails for good at a gateway with %s', async (_, extra) => {
    const { runtime, gateway, connection } = make();
    gateway.initializeExtra = extra;
    connection.open();
    await runtime.advance(100_000);
    expect(connection.state.kind).toBe('failed');
  });

  it('fails for good when no socket can be created', () => {
    const { connection } = make({
      socket: () => {
        throw new SyntaxError('bad URL');
      },
    });
    connection.open();
    expect(connection.state).toMatchObject({ kind: 'failed', reason: expect.stringContaining('bad URL') });
  });

  it('closes for good, and can be opened again in a new session', async () => {
    const { runtime, gateway, connection } = await makeOnline();
    connection.close();
    connection.close();
    await runtime.advance(100_000);
    expect(connection.state).toEqual({ kind: 'idle' });
    expect(runtime.timerCount).toBe(0);
    connection.open();
    await runtime.advance(10);
    expect(connection.state).toMatchObject({ kind: 'online', session: expect.stringContaining('of c2') });
    expect(gateway.requests.at(-2)?.params).toMatchObject({ resumeSessionId: null });
  });

  it('can be closed or retried by a listener that is notified of a cut', async () => {
    const { runtime, gateway, connection } = await makeOnline();
    const off = connection.onState(({ kind }) => kind === 'waiting' && connection.retryNow());
    gateway.socket.cut();
    await runtime.advance(10);
    expect(connection.state.kind).toBe('online');
    off();
    connection.onState(({ kind }) => kind === 'waiting' && connection.close());
    gateway.socket.cut();
    await runtime.advance(100_000);
    expect(connection.state.kind).toBe('idle');
    expect(runtime.timerCount).toBe(0);
  });

  it('settles every request: with its result, its error, the loss of the connection, or at once when offline', async () => {
    const { runtime, gateway, connection } = await makeOnline();
    const known = connection.request('environment/status', undefined);
    const unknown = connection.request('process/wait', { key: 'nobody', waitMs: 1 });
    const caught = unknown.catch((error: unknown) => error);
    await runtime.advance(10);
    expect(await known).toEqual({ status: 'ready' });
    expect(await caught).toBeInstanceOf(RequestError);
    const lost = connection.request('environment/status', undefined);
    gateway.socket.cut();
    await expect(lost).rejects.toThrow(ConnectionLost);
    await expect(connection.request('environment/status', undefined)).rejects.toThrow(NotOnline);
  });

  it('survives malformed messages from the gateway', async () => {
    const { runtime, gateway, kinds } = await makeOnline();
    for (const text of [
      'not json',
      '[]',
      '{"id":99,"result":{}}',
      '{"id":"x","result":{}}',
      '{"id":1,"method":"a/request"}',
      '{"method":"no/such"}',
      '{"method":"process/output","params":null}',
      '{"method":"process/output","params":{"key":"p","processId":"p","seq":1,"stream":"pty","chunk":"?"}}',
      '{"method":"process/gap","params":{"key":"p","processId":"p","afterSeq":-1,"nextSeq":2,"bytes":3}}',
      '{"method":"console/changed","params":7}',
      '{"method":"console/changed","params":{"processes":[{"key":5}],"sessions":[null],"removed":[]}}',
    ]) {
      gateway.socket.push(text);
    }
    await runtime.advance(10);
    expect(kinds).toEqual([]);
  });
});
