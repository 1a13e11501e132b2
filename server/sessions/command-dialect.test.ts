// The first dialect's words, without processes: what fixes it, what it refuses, and how its events look.
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
    // An answer that is not there at once is a promise's.
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

describe('the first method of one dialect', () => {
  it('[FD1] that is command/* leaves nothing else', async () => {
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

  it('[FD1] that is process/* makes command/* unknown', async () => {
    const { ask } = connect();
    expect(await ask('process/terminate', { processId: 'p' })).toMatchObject({ result: { running: false } });
    expect(await ask('command/exec', EXEC)).toMatchObject(code(-32601));
  });

  it('[FD1] decides, not what is common to both', async () => {
    const { ask } = connect();
    expect(await ask('environment/status')).toMatchObject({ result: { status: 'ready' } });
    expect(await ask('command/exec/terminate', { sessionId: 'proc-1' })).toMatchObject({
      error: { code: -32600, message: 'unknown session id proc-1' },
    });
  });

  it('[FD1] is process/* on a session that was resumed', async () => {
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

describe('is refused', () => {
  it('[FD2] before the handshake, which can follow', async () => {
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
  ])('[FD2] %s with %j', async (method, params) => {
    expect(await connect().ask(method, params)).toMatchObject(code(-32602));
  });

  it.each(['proc-1', 'proc-0', 'proc-', 'proc-01', 'proc-1 ', 'PROC-1', '', '1', 'proc-1e0'])(
    '[FD2] a session %j that never was',
    async (sessionId) => {
      const { ask } = connect();
      expect(await ask('command/exec/write', { sessionId, chunk: '' })).toMatchObject(code(-32600));
      expect(await ask('command/exec/terminate', { sessionId })).toMatchObject(code(-32600));
    },
  );

  it('[AU4] to who may only look', async () => {
    expect(await connect({ role: 'observer' }).ask('command/exec', EXEC)).toMatchObject(code(-32021));
  });
});

describe('a connection of the first dialect', () => {
  it('[FD4] ends with a malformed message, and its session with it', async () => {
    const { channel, ask } = connect();
    await ask('command/exec/terminate', { sessionId: 'proc-1' });
    const before = channel.received.length;
    channel.push('not json');
    expect(channel.closedWith?.code).toBe(1008);
    expect(channel.received).toHaveLength(before);
    expect(gateway.console.sessions.all().map(({ isConsole }) => isConsole)).toEqual([true]);
  });

  it('[SE6] answers a malformed message as long as it has not been told', () => {
    const { channel } = connect();
    channel.push('not json');
    expect(channel.received.at(-1)).toMatchObject({ id: -1, ...code(-32600) });
    expect(channel.closedWith).toBeNull();
  });
});

describe('its events', () => {
  const parsed = (message: string | Buffer | null) => message && (JSON.parse(String(message)) as unknown);
  const output = (stream: 'stdout' | 'stderr' | 'pty') =>
    ({ kind: 'output', seq: 1, offset: 0, stream, bytes: Buffer.from('ä\n'), atMs: 0 }) as const;

  it('[FD3] have no seq, and a terminal prints to stdout', () => {
    const frames = new CommandFrames('proc-1');
    for (const [stream, told] of [
      ['stdout', 'stdout'],
      ['stderr', 'stderr'],
      ['pty', 'stdout'],
    ] as const) {
      expect(parsed(frames.of(output(stream)))).toEqual({
        method: 'command/exec/outputDelta',
        params: { sessionId: 'proc-1', stream: told, chunk: 'w6QK' },
      });
    }
  });

  it('[FD3] tell the exit after the last delta', () => {
    const frames = new CommandFrames('proc-7');
    expect(frames.of({ kind: 'exited', seq: 1, offset: 0, exitCode: 143, sandboxDenied: false })).toBeNull();
    expect(frames.of(output('stdout'))).not.toBeNull();
    expect(parsed(frames.of({ kind: 'closed', seq: 3, offset: 3 }))).toEqual({
      method: 'command/exec/exited',
      params: { sessionId: 'proc-7', exitCode: 143 },
    });
  });
});
