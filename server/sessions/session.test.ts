// Time for which the id of a closed process stays taken, and processes that the end of a session ends: rules SE5 and
// PR.
import { beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import type { ConnectionTurn, Source } from '../delivery/connection-turn.ts';
import type { Child, ChildEvents } from '../host/child.ts';
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
/** Sources with messages for the connection, which takes nothing by itself. */
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
    } as unknown as Child;
  });
  const owner = { tokenId: 't', name: 'x', role: 'agent' };
  const untold = { started: () => {}, notStarted: () => {}, changed: () => {} };
  session = new Session({ clientName: 'x', owner, isConsole: false, limits: DEFAULT_LIMITS, ...untold });
  ready = [];
  given = [];
  const turn = {
    ready: (source: Source) => ready.push(source),
    readyLater: () => {},
    remove: () => {},
    connection: { send: (message: string | Buffer) => given.push(message.toString()) },
  };
  session.attach(turn as unknown as ConnectionTurn);
  session.start(description, spec);
  child.onOutput('stdout', Buffer.from('done\n'));
  child.onExit({ code: 0, signal: null });
  return () => {
    session.close();
    // A look at the system's processes serves one turn.
    vi.advanceTimersByTime(0);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  };
});

it('[SE5][DE4] is taken until its owner, whose connection is held up, has been told its end', () => {
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

it('[SE5] is free after a while when its owner has gone, who then reads no end', () => {
  child.onEnd();
  session.detach();
  vi.advanceTimersByTime(closedTtlMs);
  expect(session.processCount).toBe(0);
});

it('says of nobody that they were killed who had ended, though their output is still open', () => {
  vi.runAllTimers();
  const process = session.process('p');
  session.expire();
  expect(process?.acts).toEqual([]);
});
