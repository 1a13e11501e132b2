// Tests of the life of a session's processes: started, attached, detached, pinned, adopted and ended (rules
// SE and PR).
import { beforeEach, expect, it, vi, type MockInstance } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import type { ConnectionTurn } from '../delivery/connection-turn.ts';
import type { ChildEvents, OwnChild } from '../host/child.ts';
import * as spawning from '../host/spawn.ts';
import { Process } from '../keeper/process.ts';
import type { ProcessHome } from '../keeper/process-home.ts';
import type { ProcessControl } from '../keeper/process-view.ts';
import { hashOf, Session, type SessionOptions } from './session.ts';

vi.mock('../host/spawn.ts', async (original) => ({
  ...(await original<typeof spawning>()),
  spawnChild: vi.fn(),
}));

const description = (processId: string) => ({
  processId,
  startedBy: 'x',
  starter: { tokenId: 't', role: 'agent' },
  metadata: {},
  label: null,
  restartOf: null,
});
const spec = {
  argv: ['p'],
  arg0: null,
  cwd: '/',
  env: {},
  tty: null,
  pipeStdin: false,
  sandbox: null,
  user: null,
};

let children: ChildEvents[];
let pinned: Set<ProcessControl>;
let killNow: MockInstance<Process['killNow']>;
let terminate: MockInstance<Process['terminate']>;
const started = vi.fn<SessionOptions['started']>();
const notStarted = vi.fn<SessionOptions['notStarted']>();
const changed = vi.fn<SessionOptions['changed']>();
const sessions: Session[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  // The clock is advanced so that the first output does not count as part of a flood.
  vi.advanceTimersByTime(1000);
  vi.clearAllMocks();
  children = [];
  pinned = new Set();
  vi.mocked(spawning.spawnChild).mockImplementation((_spec, events) => {
    children.push(events);
    return {
      pid: 2 ** 30,
      writable: false,
      tty: false,
      streams: [],
      lineage: { marks: [], startedAt: 0 },
      isOutputHeld: false,
      catchUp: () => {},
    } as unknown as OwnChild;
  });
  killNow = vi.spyOn(Process.prototype, 'killNow').mockReturnValue({ running: true });
  terminate = vi.spyOn(Process.prototype, 'terminate').mockReturnValue({ running: true });
  return () => {
    for (const session of sessions.splice(0)) session.close();
    vi.advanceTimersByTime(0);
    expect(vi.getTimerCount()).toBe(0);
    vi.restoreAllMocks();
    vi.useRealTimers();
  };
});

function make(more: Partial<SessionOptions> = {}): Session {
  const session = new Session({
    clientName: 'test',
    owner: { tokenId: 't', name: 'x', role: 'agent' },
    isConsole: false,
    limits: DEFAULT_LIMITS,
    home: null,
    isPinned: (process) => pinned.has(process),
    started,
    notStarted,
    changed,
    ...more,
  });
  sessions.push(session);
  return session;
}
const start = (session: Session, id: string, endsWithConnection?: boolean): ProcessControl =>
  session.start(description(id), spec, { endsWithConnection }) as ProcessControl;
const turn = () => ({ ready: vi.fn(), readyLater: vi.fn(), remove: vi.fn(), connection: { send: vi.fn() } });
const attach = (session: Session, to = turn()) => {
  session.attach(to as unknown as ConnectionTurn);
  return to;
};
function end(at: number): void {
  children[at]?.onExit({ code: 0, signal: null });
  children[at]?.onEnd();
}

it('a session has a secret id, a public label, and counts what it started', () => {
  const [one, other, console] = [make(), make(), make({ isConsole: true })];
  expect(one.idHash).toBe(hashOf(one.id));
  expect(one.id).not.toBe(other.id);
  expect(one.label).toMatch(/^s-[\w-]{8}$/);
  expect(console.label).toBe('console');
  expect([one.isAttached, console.isAttached]).toEqual([false, true]);
  const before = one.id;
  const renewed = one.renewId();
  expect([one.id, one.idHash]).toEqual([renewed, hashOf(renewed)]);
  expect(renewed).not.toBe(before);

  const process = start(one, 'p');
  expect(started).toHaveBeenCalledExactlyOnceWith(process);
  expect(changed).toHaveBeenLastCalledWith(one);
  expect([one.process('p'), one.process('q'), one.processes()]).toEqual([process, undefined, [process]]);
  expect([one.processCount, one.liveCount, one.startingCount]).toEqual([1, 1, 0]);
  expect(process).toMatchObject({
    description: { session: one.label, isConsole: false, clientName: 'test' },
  });
  expect(start(console, 'p')).toMatchObject({
    description: { session: 'console', isConsole: true, clientName: null },
  });
});

it('[SE5] an id is taken until its process is removed', () => {
  const session = make();
  start(session, 'p');
  expect(() => start(session, 'p')).toThrow('process p already exists');
  end(0);
  expect([session.processCount, session.liveCount]).toEqual([1, 0]);
  vi.advanceTimersByTime(DEFAULT_LIMITS.closedTtlMs - 1);
  expect(() => start(session, 'p')).toThrow('already exists');
  changed.mockClear();
  vi.advanceTimersByTime(1);
  expect(changed).toHaveBeenCalledTimes(1);
  start(session, 'p');
  expect(session.processCount).toBe(1);
});

it('a process that cannot be started is reported, and every other error is passed on', () => {
  const session = make();
  const error = new spawning.SpawnError('no such program', new Error('cause'));
  vi.mocked(spawning.spawnChild).mockImplementationOnce(() => {
    throw error;
  });
  expect(() => start(session, 'p')).toThrow(
    expect.objectContaining({ code: -32603, message: 'no such program' }) as Error,
  );
  expect(notStarted).toHaveBeenCalledExactlyOnceWith(error, null);
  vi.mocked(spawning.spawnChild).mockImplementationOnce(() => {
    throw new TypeError('a bug');
  });
  expect(() => start(session, 'p')).toThrow(TypeError);
  expect(notStarted).toHaveBeenCalledTimes(1);
  expect(session.processCount).toBe(0);
});

it('[SE1] an attached connection gets the events of every process, and a detached one gets none', () => {
  const session = make();
  start(session, 'before');
  vi.setSystemTime(5000);
  const to = attach(session);
  expect([session.isAttached, session.connectedAtMs, session.detachedAtMs]).toEqual([true, 5000, null]);
  start(session, 'after');
  for (const child of children) child.onOutput('stdout', Buffer.from('x'));
  expect(to.ready).toHaveBeenCalledTimes(2);
  vi.setSystemTime(6000);
  session.detach();
  expect([session.isAttached, session.connectedAtMs, session.detachedAtMs]).toEqual([false, 5000, 6000]);
  expect(to.remove).toHaveBeenCalledTimes(2);
  to.ready.mockClear();
  for (const child of children) child.onOutput('stdout', Buffer.from('x'));
  expect(to.ready).not.toHaveBeenCalled();
  expect(changed).toHaveBeenLastCalledWith(session);
  expect(attach(session).ready).not.toHaveBeenCalled();
});

it('[PR5] only a running process that ends with its connection is killed with it, unless it is pinned', () => {
  const session = make();
  attach(session);
  const [lasting, ending, pinnedKey, exited] = [
    start(session, 'lasting'),
    start(session, 'ending', true),
    start(session, 'kept', true),
    start(session, 'exited', true),
  ];
  pinned.add(pinnedKey);
  children[3]?.onExit({ code: 0, signal: null });
  session.detach();
  expect(killNow.mock.contexts).toEqual([ending]);
  expect(killNow).toHaveBeenCalledWith('gateway', 'sessionExpired');
  expect([lasting, exited].every((each) => session.processes().includes(each))).toBe(true);
});

it('an expired session terminates its processes, except pinned ones and jobs that an exited one left', () => {
  const session = make();
  const [running, pinnedKey, left] = [start(session, 'a'), start(session, 'b'), start(session, 'c', true)];
  pinned.add(pinnedKey);
  end(2);
  changed.mockClear();
  session.expire();
  expect(terminate.mock.contexts).toEqual([running]);
  expect(terminate.mock.calls[0]?.slice(1)).toEqual(['gateway', { how: 'sessionExpired' }]);
  expect(left.isClosed).toBe(true);
  expect([session.processCount, vi.getTimerCount()]).toEqual([0, 0]);
  expect(changed).toHaveBeenCalledTimes(1);
});

it('[SE10] nothing holds back a pinned process for the owner of an expired session, even while it is owed', () => {
  const setOwned = vi.fn();
  const session = make({ past: { idHash: 'hash', label: 's-past' }, home: { setOwned } as never });
  const process = start(make(), 'p');
  pinned.add(process);
  session.adopt(process, false, true);
  session.detach();
  expect(setOwned).not.toHaveBeenCalled();
  session.expire();
  expect(setOwned).toHaveBeenCalledExactlyOnceWith(process.key, false);
});

it('[SE7] a session ends with its connection when nothing in it can be used afterwards', () => {
  const session = make();
  expect(session.endsWithConnection).toBe(false);
  start(session, 'a', true);
  expect(session.endsWithConnection).toBe(true);
  children[0]?.onExit({ code: 0, signal: null });
  expect(session.endsWithConnection).toBe(false);
  vi.advanceTimersByTime(50);
  children[0]?.onEnd();
  expect(session.endsWithConnection).toBe(true);
  start(session, 'b', true);
  children[1]?.onExit({ code: 0, signal: null });
  vi.advanceTimersByTime(51);
  children[1]?.onEnd();
  expect(session.endsWithConnection).toBe(false);
  const mixed = make();
  start(mixed, 'a', true);
  start(mixed, 'b');
  expect(mixed.endsWithConnection).toBe(false);
});

it('an adopted process retains output that its owner may not have received, until the owner has resumed', () => {
  const [first, session] = [make(), make({ past: { idHash: 'hash', label: 's-past' } })];
  expect([session.label, session.idHash]).toEqual(['s-past', 'hash']);
  const process = start(first, 'p');
  const close = vi.fn();
  const hold = vi.spyOn(process, 'hold').mockReturnValue({ release: () => {}, close });
  session.adopt(process, false, true);
  expect(hold).toHaveBeenCalledExactlyOnceWith(1, 0);
  expect(session.process('p')).toBe(process);
  attach(session);
  expect(close).toHaveBeenCalled();
  expect(killNow).not.toHaveBeenCalled();

  hold.mockClear();
  const unattached = make({ past: { idHash: 'other', label: 's-other' } });
  unattached.adopt(process, true, false);
  expect(hold).not.toHaveBeenCalled();
  expect(killNow).toHaveBeenCalledExactlyOnceWith('gateway', 'sessionExpired');
});

it('[SE10] a pinned process that ends with its connection is adopted alive', () => {
  const process = start(make(), 'p');
  pinned.add(process);
  make({ past: { idHash: 'hash', label: 's-past' } }).adopt(process, true, false);
  expect(killNow).not.toHaveBeenCalled();
});

it('an adopted process that has ended is removed like any other', () => {
  const [first, session] = [make(), make()];
  const process = start(first, 'p');
  end(0);
  session.adopt(process, false, false);
  expect([session.processCount, session.liveCount]).toEqual([1, 0]);
  vi.advanceTimersByTime(DEFAULT_LIMITS.closedTtlMs);
  expect(session.processCount).toBe(0);
});

it('[SE9] a process that starts in another program is counted, and killed if what it ends with ends meanwhile', async () => {
  const setOwned = vi.fn();
  let answer = (_error: Error | null): void => {};
  const home = {
    start: () =>
      new Promise((resolve, reject) => {
        answer = (error) => (error ? reject(error) : resolve(null));
      }),
    setOwned,
  } as unknown as ProcessHome;
  const session = make({ home });
  const first = session.start(description('p'), spec) as Promise<ProcessControl>;
  expect([session.liveCount, session.startingCount, session.processCount]).toEqual([1, 1, 0]);
  expect(() => session.start(description('p'), spec)).toThrow('already exists');
  answer(null);
  const process = await first;
  expect([session.liveCount, session.startingCount, session.processCount]).toEqual([1, 0, 1]);
  expect(setOwned).toHaveBeenLastCalledWith(process.key, false);
  attach(session);
  expect(setOwned).toHaveBeenLastCalledWith(process.key, true);
  session.detach();
  expect(setOwned).toHaveBeenLastCalledWith(process.key, false);

  const failed = session.start(description('q'), spec) as Promise<ProcessControl>;
  answer(new spawning.SpawnError('no such program', new Error('cause')));
  await expect(failed).rejects.toMatchObject({ code: -32603, message: 'no such program' });
  expect([session.startingCount, notStarted.mock.calls.length]).toEqual([0, 1]);

  const ending = make({ home });
  attach(ending);
  const crossing = ending.start(description('p'), spec, { endsWithConnection: true });
  expect(ending.endsWithConnection).toBe(true);
  ending.detach();
  answer(null);
  expect(killNow.mock.contexts).toEqual([await crossing]);
  killNow.mockClear();

  const late = session.start(description('r'), spec) as Promise<ProcessControl>;
  session.expire();
  answer(null);
  await late;
  expect(killNow.mock.contexts).toEqual([await late]);
});
