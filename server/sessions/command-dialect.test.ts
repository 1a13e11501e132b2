// Tests of the first dialect without processes: how it is chosen, rejected requests, and events.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import { Gateway } from '../gateway.ts';
import { Sandboxes } from '../host/sandbox/sandboxes.ts';
import { ChannelPair } from '../testing/channel-pair.ts';
import { CommandFrames } from './command-frames.ts';

const identity = (role: 'agent' | 'observer') =>
  ({ tokenId: role, name: `the ${role}`, role, expiresAtMs: null }) as const;
const EXEC = { argv: ['/bin/true'], cwd: '/tmp', env: {}, tty: false, arg0: null };

let gateway: Gateway;
beforeEach(() => {
  const sandboxes = new Sandboxes({ stateDir: '/nowhere', floor: 'none', user: null });
  gateway = new Gateway({
    limits: DEFAULT_LIMITS,
    version: 'test',
    sandboxes,
    user: null,
    auditPath: null,
    access: null,
    log: () => {},
  });
});
afterEach(() => gateway.close());

function connect({
  role = 'agent',
  isReady = true,
}: { role?: 'agent' | 'observer'; isReady?: boolean } = {}) {
  const channel = new ChannelPair();
  gateway.serve(channel, identity(role));
  let id = 0;
  const ask = async (method: string, params?: unknown) => {
    const asked = (id += 1);
    channel.push({ id: asked, method, params });
    // Answers may arrive asynchronously.
    await new Promise((resolve) => setImmediate(resolve));
    return channel.received.find((message) => message['id'] === asked);
  };
  if (isReady) {
    channel.push({ id: 'i', method: 'initialize', params: { clientName: 'old' } });
    channel.push({ method: 'initialized' });
  }
  return { channel, ask };
}
const code = (expected: number) => ({ error: { code: expected } });

describe('The first method of a dialect', () => {
  it('[FD1] rejects all other methods when it is command/*', async () => {
    const { ask } = connect();
    expect(await ask('command/exec/terminate', { sessionId: 'proc-1' })).toMatchObject(code(-32600));
    for (const method of [
      'process/terminate',
      'environment/status',
      'command/exec/resize',
      'bogus',
      'toString',
    ])
      expect(await ask(method, { processId: 'p' }), method).toMatchObject(code(-32600));
  });

  it('[FD1] makes command/* unknown when it is process/*', async () => {
    const { ask } = connect();
    expect(await ask('process/terminate', { processId: 'p' })).toMatchObject({ result: { running: false } });
    expect(await ask('command/exec', EXEC)).toMatchObject(code(-32601));
  });

  it('[FD1] chooses the dialect, while methods that are common to both do not', async () => {
    const { ask } = connect();
    expect(await ask('environment/status')).toMatchObject({ result: { status: 'ready' } });
    expect(await ask('command/exec/terminate', { sessionId: 'proc-1' })).toMatchObject({
      error: { code: -32600, message: 'unknown session id proc-1' },
    });
  });

  it('[FD1] counts as process/* on a resumed session', async () => {
    const first = connect();
    const [reply] = first.channel.received;
    const { sessionId } = (reply ?? {})['result'] as { sessionId: string };
    first.channel.cut();
    const { channel, ask } = connect({ isReady: false });
    await ask('initialize', { clientName: 'old', resumeSessionId: sessionId });
    channel.push({ method: 'initialized' });
    expect(await ask('command/exec', EXEC)).toMatchObject(code(-32601));
  });
});

describe('The first dialect', () => {
  it('[FD2] rejects methods before the handshake, which may still follow', async () => {
    const { channel, ask } = connect({ isReady: false });
    expect(await ask('command/exec', EXEC)).toMatchObject({
      error: { code: -32600, message: 'client must call initialize before using exec methods' },
    });
    expect(await ask('initialize', { clientName: 'old' })).toMatchObject({ result: {} });
    channel.push({ method: 'initialized' });
    expect(await ask('command/exec/terminate', { sessionId: 'proc-1' })).toMatchObject({
      error: { message: 'unknown session id proc-1' },
    });
  });

  it.each([
    ['command/exec', { ...EXEC, argv: [] }],
    ['command/exec', { ...EXEC, cwd: 'tmp' }],
    ['command/exec', { ...EXEC, cwd: 'file:///tmp' }],
    ['command/exec', { ...EXEC, env: null }],
    ['command/exec', { ...EXEC, tty: null }],
    ['command/exec', { ...EXEC, arg0: 5 }],
    ['command/exec/write', { sessionId: 'proc-1', chunk: 'x' }],
    ['command/exec/write', { chunk: '' }],
    ['command/exec/terminate', {}],
    ['command/exec/terminate', null],
  ])('[FD2] rejects %s with %j', async (method, params) => {
    expect(await connect().ask(method, params)).toMatchObject(code(-32602));
  });

  it.each(['proc-1', 'proc-0', 'proc-', 'proc-01', 'proc-1 ', 'PROC-1', '', '1', 'proc-1e0'])(
    '[FD2] rejects the session id %j, which does not exist',
    async (sessionId) => {
      const { ask } = connect();
      expect(await ask('command/exec/write', { sessionId, chunk: '' })).toMatchObject(code(-32600));
      expect(await ask('command/exec/terminate', { sessionId })).toMatchObject(code(-32600));
    },
  );

  it('[AU4] rejects command/exec from an observer', async () => {
    expect(await connect({ role: 'observer' }).ask('command/exec', EXEC)).toMatchObject(code(-32021));
  });
});

describe('A connection of the first dialect', () => {
  it('[FD4] is closed by a malformed message, together with its session', async () => {
    const { channel, ask } = connect();
    await ask('command/exec/terminate', { sessionId: 'proc-1' });
    const before = channel.received.length;
    channel.push('not json');
    expect(channel.closedWith?.code).toBe(1008);
    expect(channel.received).toHaveLength(before);
    expect(gateway.console.sessions.all().map(({ isConsole }) => isConsole)).toEqual([true]);
  });

  it('[SE6] answers a malformed message with an error before it has chosen the dialect', () => {
    const { channel } = connect();
    channel.push('not json');
    expect(channel.received.at(-1)).toMatchObject({ id: -1, ...code(-32600) });
    expect(channel.closedWith).toBeNull();
  });
});

describe('The events of the first dialect', () => {
  const parsed = (message: string | Buffer | null) => message && (JSON.parse(String(message)) as unknown);
  const output = (stream: 'stdout' | 'stderr' | 'pty') =>
    ({ kind: 'output', seq: 1, offset: 0, stream, bytes: Buffer.from('ä\n'), atMs: 0 }) as const;

  it('[FD3] have no seq, and report the output of a terminal as stdout', () => {
    const frames = new CommandFrames('proc-1');
    for (const [stream, reported] of [
      ['stdout', 'stdout'],
      ['stderr', 'stderr'],
      ['pty', 'stdout'],
    ] as const) {
      expect(parsed(frames.of(output(stream)))).toEqual({
        method: 'command/exec/outputDelta',
        params: { sessionId: 'proc-1', stream: reported, chunk: 'w6QK' },
      });
    }
  });

  it('[FD3] report the exit after the last output', () => {
    const frames = new CommandFrames('proc-7');
    expect(frames.of({ kind: 'exited', seq: 1, offset: 0, exitCode: 143, sandboxDenied: false })).toBeNull();
    expect(frames.of(output('stdout'))).not.toBeNull();
    expect(parsed(frames.of({ kind: 'closed', seq: 3, offset: 3 }))).toEqual({
      method: 'command/exec/exited',
      params: { sessionId: 'proc-7', exitCode: 143 },
    });
  });
});
