// Tests of one connection: its handshake, the order of its checks, its audit entries, and its end: rules SE, AU4, FD1
// and PK.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import type { Identity } from '../policy/identity.ts';
import { mayCall } from '../policy/roles.ts';
import type { Connection } from '../rpc/connection.ts';
import { Peer, type Methods, type PeerOptions } from './peer.ts';
import { SessionRegistry } from './registry.ts';

const identity = (role: Identity['role']): Identity => ({
  tokenId: role,
  name: role,
  role,
  expiresAtMs: null,
});

const audit = { began: vi.fn(), called: vi.fn(), failed: vi.fn(), refused: vi.fn(), ended: vi.fn() };
const visited = vi.fn<PeerOptions['visited']>();
const decide = vi.fn<PeerOptions['decide']>();
const paramsFor = vi.fn<PeerOptions['paramsFor']>();
const first = { request: vi.fn(() => 'of the first dialect') };
const call = vi.fn<(params: unknown, peer: Peer) => object | Promise<object>>();
let listeners: Set<() => void>;
let sessions: SessionRegistry;
beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  listeners = new Set();
  decide.mockReturnValue(null);
  paramsFor.mockImplementation((_identity, _method, params) => params);
  first.request.mockReturnValue('of the first dialect');
  call.mockReturnValue({ done: true });
  sessions = new SessionRegistry(
    DEFAULT_LIMITS,
    {
      isPinned: () => false,
      started: () => {},
      notStarted: () => {},
      changed: () => {},
      removed: () => {},
    },
    { home: null, notes: null },
  );
  return () => {
    sessions.close();
    vi.useRealTimers();
  };
});

function connect(role: Identity['role'] = 'operator', seen: PeerOptions['seen'] = null): Peer {
  const connection = {
    isEnding: false,
    onDrain: () => () => {},
    onEnding: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Connection;
  return new Peer({
    connection,
    identity: identity(role),
    sessions,
    methods: new Proxy({}, { get: () => call }) as Methods,
    firstDialect: () => first,
    pageUrl: null,
    mayCall,
    paramsFor,
    seen,
    describe: (_peer, session) => ({ sessionId: session.id }) as never,
    visited,
    decide,
    limits: DEFAULT_LIMITS,
    audit,
  });
}
function ready(role?: Identity['role'], seen?: PeerOptions['seen']): Peer {
  const peer = connect(role, seen);
  peer.request('initialize', { clientName: 'test' });
  peer.notification('initialized');
  return peer;
}
const READ = ['process/read', { processId: 'p' }] as const;
const START = [
  'process/start',
  { processId: 'p', argv: ['x'], cwd: 'file:///', env: {}, tty: false },
] as const;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The handshake of a connection', () => {
  it('[SE1] comes before everything else, and each error names what is missing', () => {
    const peer = connect();
    expect(peer.label).toMatch(/^c-[\w-]{8}$/);
    expect(() => peer.session).toThrow('a session before initialize');
    const wrong = (method: string, params: unknown = {}): unknown => {
      try {
        return peer.request(method, params);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(wrong(...READ)).toBe('client must call initialize before using exec methods');
    expect(() => peer.notification('initialized')).toThrow(
      'the notification initialized arrived before initialize',
    );
    expect(peer.request('initialize', { clientName: 'test' })).toEqual({ sessionId: peer.session.id });
    expect(wrong(...READ)).toBe('client must send initialized before using exec methods');
    for (const [method, params, family] of [
      ['fs/readFile', { path: 'file:///x' }, 'filesystem'],
      ['http/request', { requestId: 'r', method: 'GET', url: 'http://x/', headers: [] }, 'http'],
      ['environment/status', {}, 'environment status'],
      ['environment/info', {}, 'environment info'],
    ] as const)
      expect(wrong(method, params)).toBe(`client must send initialized before using ${family} methods`);
    expect(wrong('initialize', { clientName: 'test' })).toBe(
      'initialize may be called only once on a connection',
    );
    peer.notification('initialized');
    expect(wrong(...READ)).toEqual({ done: true });
    expect(() => peer.notification(`other${'x'.repeat(100)}`)).toThrow(
      `unexpected notification other${'x'.repeat(75)}`,
    );
    expect(wrong('x'.repeat(300))).toBe(`unknown method "${'x'.repeat(200)}"`);
    // The text is cut without splitting a character of two units.
    expect(wrong(`x${'😀'.repeat(200)}`)).toBe(`unknown method "x${'😀'.repeat(99)}"`);
    expect(wrong('process/read', { processId: 5 })).toMatch(/^process\/read: ./);
  });

  it('[SE1][SE6] creates a session or resumes one, and its end detaches it', () => {
    const one = ready();
    const { session } = one;
    expect(visited).toHaveBeenLastCalledWith('sessionMade', session, one);
    one.closed();
    expect(audit.ended).toHaveBeenCalledExactlyOnceWith(one);
    expect(visited).toHaveBeenLastCalledWith('sessionDetached', session, one);
    expect([session.isAttached, sessions.all().includes(session)]).toEqual([false, true]);
    const again = connect();
    again.request('initialize', { clientName: 'test', resumeSessionId: session.id });
    expect(again.session).toBe(session);
    expect(visited).toHaveBeenLastCalledWith('sessionResumed', session, again);
  });

  it('leaves nothing to detach when it never began', () => {
    connect().closed();
    expect([visited.mock.calls.length, audit.ended.mock.calls.length]).toEqual([0, 1]);
  });

  it('ends the session of an identity that cannot have processes', () => {
    const peer = ready('observer');
    peer.closed();
    expect(sessions.all()).toEqual([sessions.console]);
  });
});

describe('A dialect', () => {
  it('[FD1] is chosen by the first method of one, and the other’s methods are unknown then', () => {
    const old = ready();
    expect(old.request('environment/info', {})).toEqual({ done: true });
    expect(old.request('command/exec', { a: 1 })).toBe('of the first dialect');
    expect(first.request).toHaveBeenCalledWith('command/exec', { a: 1 });
    expect(old.request(...READ)).toBe('of the first dialect');
    expect(() => old.malformed('odd')).toThrow('malformed message: odd');
    old.closed();
    expect(sessions.all()).toEqual([sessions.console]);

    const present = ready();
    present.malformed('odd');
    present.request(...READ);
    present.malformed('odd');
    expect(() => present.request('command/exec', {})).toThrow('unknown method "command/exec"');
  });
});

describe('[AU4] The role', () => {
  it('is checked before the params, and each refusal is audited', () => {
    const agent = ready('agent');
    const other = { key: 'k'.repeat(16) };
    expect(() => agent.request('process/read', other)).toThrow(
      'the role agent is not allowed to call process/read outside its own session',
    );
    expect(audit.refused).toHaveBeenCalledExactlyOnceWith(agent, 'process/read', other);
    expect(() => agent.request('process/start', { ...START[1], session: 'console' })).toThrow(
      'the role agent is not allowed to call process/start outside its own session',
    );
    expect(() => ready('observer').request(...START)).toThrow(/is not allowed to call process\/start$/);
    expect(call).not.toHaveBeenCalled();
    expect(paramsFor).not.toHaveBeenCalled();
    agent.request(...START);
    expect(call).toHaveBeenCalledTimes(1);
  });

  it('hides objects that this identity may not see', () => {
    const peer = ready();
    paramsFor.mockImplementationOnce(() => {
      throw new Error('no such process');
    });
    expect(() => peer.request(...READ)).toThrow('no such process');
    expect(audit.refused).toHaveBeenCalledExactlyOnceWith(peer, ...READ);
    paramsFor.mockReturnValueOnce({ processId: 'instead' });
    peer.request(...READ);
    expect(call).toHaveBeenCalledExactlyOnceWith({ processId: 'instead' }, peer);
  });

  it('filters results, at once or later', async () => {
    const seen = vi.fn((_peer: Peer, method: string, result: object) => ({ method, ...result }));
    const peer = ready('operator', seen);
    expect(peer.request(...READ)).toEqual({ method: 'process/read', done: true });
    call.mockResolvedValueOnce({ later: true });
    expect(await peer.request(...READ)).toEqual({ method: 'process/read', later: true });
  });
});

describe('The audit', () => {
  it('records every request that took effect or failed, with its result', async () => {
    const peer = ready();
    peer.request(...READ);
    expect(audit.called).toHaveBeenLastCalledWith(peer, ...READ, { done: true });
    call.mockImplementationOnce(() => {
      throw new Error('at once');
    });
    expect(() => peer.request(...READ)).toThrow('at once');
    expect(audit.failed).toHaveBeenLastCalledWith(peer, ...READ, new Error('at once'));
    const later = Promise.reject(new Error('later'));
    call.mockReturnValueOnce(later);
    const answer = peer.request(...READ);
    // The act is recorded before its answer, because it may already have taken effect.
    expect(audit.called).toHaveBeenCalledTimes(2);
    await expect(answer).rejects.toThrow('later');
    expect(audit.failed).toHaveBeenLastCalledWith(peer, ...READ, new Error('later'));
    expect(audit.called).toHaveBeenCalledTimes(2);
  });

  it('records a start when its process has a key', async () => {
    const peer = ready();
    for (const [method, params] of [
      START,
      ['process/restart', { key: 'k'.repeat(16), newProcessId: 'q' }],
    ] as const) {
      audit.called.mockClear();
      peer.request(method, params);
      expect(audit.called).toHaveBeenCalledTimes(1);
      let answer = (_result: object): void => {};
      call.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
      const result = peer.request(method, params);
      await settle();
      expect(audit.called).toHaveBeenCalledTimes(1);
      answer({ key: 'k' });
      await result;
      expect(audit.called).toHaveBeenLastCalledWith(peer, method, expect.anything(), { key: 'k' });
    }
    call.mockRejectedValueOnce(new Error('no such program'));
    await expect(peer.request(...START)).rejects.toThrow('no such program');
    expect(audit.failed).toHaveBeenCalledTimes(1);
  });
});

describe('[PK1] A request that needs a decision', () => {
  it('waits with those behind it, and is audited when it takes effect', async () => {
    const peer = ready();
    let allow = (): void => {};
    decide.mockReturnValueOnce(new Promise((resolve) => (allow = () => resolve())));
    const start = peer.request(...START);
    const read = peer.request(...READ);
    const other = peer.request('process/read', { processId: 'other' });
    expect(other).toEqual({ done: true });
    await settle();
    expect([call.mock.calls.length, audit.called.mock.calls.length]).toEqual([1, 1]);
    allow();
    expect(await Promise.all([start, read])).toEqual([{ done: true }, { done: true }]);
    expect(audit.called).toHaveBeenCalledTimes(3);
    expect(audit.failed).not.toHaveBeenCalled();
    expect(decide).toHaveBeenCalledWith(peer, ...START);
  });

  it('is audited as failed exactly once, whether it was declined or failed later', async () => {
    const peer = ready();
    decide.mockReturnValueOnce(Promise.reject(new Error('declined')));
    await expect(peer.request(...START)).rejects.toThrow('declined');
    expect(audit.failed).toHaveBeenCalledExactlyOnceWith(peer, ...START, new Error('declined'));
    expect(call).not.toHaveBeenCalled();
    decide.mockReturnValueOnce(Promise.resolve());
    call.mockImplementationOnce(() => {
      throw new Error('no such program');
    });
    await expect(peer.request(...START)).rejects.toThrow('no such program');
    expect(audit.failed).toHaveBeenCalledTimes(2);
    // The read waits behind the parked start, but needs no decision; its failure is audited once, too.
    decide.mockReturnValueOnce(Promise.resolve());
    const start = peer.request(...START);
    call.mockReturnValueOnce({ done: true }).mockImplementationOnce(() => {
      throw new Error('gone');
    });
    await expect(peer.request(...READ)).rejects.toThrow('gone');
    await start;
    expect(audit.failed).toHaveBeenCalledTimes(3);
  });
});
