// Tests of how long the id of a closed process stays taken, and of a process that had exited before its session
// expired: rules SE5 and DE4.
import { beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import type { ConnectionTurn, Source } from '../delivery/connection-turn.ts';
import type { ChildEvents, OwnChild } from '../host/child.ts';
import * as spawning from '../host/spawn.ts';
import { Session } from './session.ts';

vi.mock('../host/spawn.ts', async (original) => ({
  ...(await original<typeof spawning>()),
  spawnChild: vi.fn(),
}));

const { closedTtlMs } = DEFAULT_LIMITS;
const description = {
  processId: 'p',
  startedBy: 'x',
  starter: { tokenId: 't', role: 'agent' },
  metadata: {},
  label: null,
  restartOf: null,
};
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

let session: Session;
/** Sources of messages for the mock connection; only the tests pull from them. */
let ready: Source[];
let given: string[];
let child: ChildEvents;
beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(spawning.spawnChild).mockImplementation((_spec, events) => {
    child = events;
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
  const owner = { tokenId: 't', name: 'x', role: 'agent' };
  const callbacks = { isPinned: () => false, started: () => {}, notStarted: () => {}, changed: () => {} };
  session = new Session({
    clientName: 'x',
    owner,
    isConsole: false,
    limits: DEFAULT_LIMITS,
    home: null,
    ...callbacks,
  });
  ready = [];
  given = [];
  const turn = {
    ready: (source: Source) => ready.push(source),
    readyLater: () => {},
    remove: () => {},
    connection: { send: (message: string | Buffer) => given.push(message.toString()) },
  };
  session.attach(turn as unknown as ConnectionTurn);
  void session.start(description, spec);
  child.onOutput('stdout', Buffer.from('done\n'));
  child.onExit({ code: 0, signal: null });
  return () => {
    session.close();
    // Runs the timer that drops the cached scan of the system's processes.
    vi.advanceTimersByTime(0);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  };
});

it('[SE5][DE4] an id stays taken until its owner, whose connection is slow, has received the end', () => {
  child.onEnd();
  vi.advanceTimersByTime(closedTtlMs * 3);
  expect(session.processCount).toBe(1);
  while (ready[0]?.sendNext());
  expect(given.map((message) => /process\/\w+/.exec(message)?.[0])).toEqual([
    'process/output',
    'process/exited',
    'process/closed',
  ]);
  vi.advanceTimersByTime(closedTtlMs);
  expect(session.processCount).toBe(0);
});

it('[SE5] an id is free after closedTtlMs when its owner has detached without receiving the end', () => {
  child.onEnd();
  session.detach();
  vi.advanceTimersByTime(closedTtlMs);
  expect(session.processCount).toBe(0);
});

it('an expired session does not report a process as killed that had already exited with its output pipe still open', () => {
  vi.runAllTimers();
  const process = session.process('p');
  session.expire();
  expect(process?.acts).toEqual([]);
});
