// State of an exited process until its sandbox verdict is known: rules RD6 and EL8.
import { beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import { processInfo } from '../console/process-info.ts';
import type { ReadResult } from '../../protocol/process.ts';
import type { ChildEvents, Enclosure, OwnChild } from '../host/child.ts';
import { Process } from './process.ts';
import { read, readByKey, waitForEnd, whenNews, type Waiter } from './read.ts';
import { spawnChild } from '../host/spawn.ts';

vi.mock('../host/spawn.ts', () => ({ spawnChild: vi.fn() }));

const VERDICT_MS = DEFAULT_LIMITS.sandboxVerdictMs;
const sandbox: Enclosure = {
  type: 'linuxSeccomp',
  policy: 'read-only',
  isOpen: false,
  enter: ({ argv, env }) => ({ argv, env, leave: () => {} }),
  wasDenied: (_code, output) => output.includes('denied'),
};
const around = { watchers: 0, watchedBy: [], waitsForInput: false, pinnedBy: null, restartable: false };
const forever: Waiter = { isEnding: false, onEnding: () => () => {} };

let child: ChildEvents;
let process: Process;
beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(spawnChild).mockImplementation((_spec, events) => {
    child = events;
    return {
      pid: 2 ** 30,
      writable: false,
      tty: false,
      streams: [],
      lineage: { marks: [], startedAt: 0 },
      catchUp: () => {},
    } as unknown as OwnChild;
  });
  process = new Process(
    {
      processId: 'p',
      session: 's',
      isConsole: false,
      startedBy: 'x',
      metadata: {},
      label: null,
      restartOf: null,
      starter: { tokenId: 't', role: 'agent' },
    },
    { argv: ['p'], arg0: null, cwd: '/', env: {}, tty: null, pipeStdin: false, sandbox, user: null },
    DEFAULT_LIMITS,
  );
  return () => {
    vi.useRealTimers();
  };
});

const readById = (): ReadResult => {
  const { result } = read(process, {});
  const text = Buffer.alloc(result.bytes);
  result.write(text, 0);
  return JSON.parse(text.toString()) as ReadResult;
};
const seen = (): ReturnType<typeof readByKey> => readByKey(process, {}, (chunk) => chunk);
const info = (): ReturnType<typeof processInfo> => processInfo(process, around);

/** Reports the exit while another process still holds the output open. */
function reap(): void {
  child.onExit({ code: 1, signal: null });
}

it('[RD6] [EL8] a read that is answered with output does not contain an exit that has not been reported', async () => {
  const woken = whenNews(process, { afterSeq: 0, waitMs: 10_000 }, forever, () => {});
  reap();
  child.onOutput('stderr', Buffer.from('denied'));
  await woken;
  const nothing = { exited: false, exitCode: null, closed: false, sandboxDenied: false };
  expect(readById()).toMatchObject({ nextSeq: 2, ...nothing });
  expect(seen()).toMatchObject({ nextSeq: 2, exitedSeq: null, ...nothing });
  vi.advanceTimersByTime(VERDICT_MS);
  const reported = { exited: true, exitCode: 1, closed: false, sandboxDenied: true };
  expect(readById()).toMatchObject({ nextSeq: 3, ...reported });
  expect(seen()).toMatchObject({ nextSeq: 3, exitedSeq: 2, ...reported });
});

it('[RD6] a wait for the exit ends when the exit is reported', async () => {
  reap();
  expect(await waitForEnd(process, 'exited', 0, forever)).toEqual({
    exited: false,
    exitCode: null,
    closed: false,
  });
  const over = vi.fn();
  const waiting = waitForEnd(process, 'exited', 10_000, forever).then(over);
  child.onOutput('stderr', Buffer.from('late'));
  await vi.advanceTimersByTimeAsync(VERDICT_MS - 1);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  await waiting;
  expect(over).toHaveBeenCalledExactlyOnceWith({ exited: true, exitCode: 1, closed: false });
});

it('a wait that is longer than the maximum of a timer does not end early', async () => {
  const over = vi.fn();
  void waitForEnd(process, 'exited', 2 ** 31, forever).then(over);
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(over).not.toHaveBeenCalled();
});

it('[RD6] the list shows a process as running, and not what ended it, until its exit is reported', () => {
  process.terminate(0, 'ann');
  reap();
  expect(info()).toMatchObject({
    state: 'running',
    exitCode: null,
    signal: null,
    exitedAtMs: null,
    endedBy: null,
    sandboxDenied: false,
  });
  child.onOutput('stderr', Buffer.from('denied'));
  const reapedAtMs = Date.now();
  vi.advanceTimersByTime(VERDICT_MS);
  expect(info()).toMatchObject({
    state: 'exited',
    exitCode: 1,
    exitedAtMs: reapedAtMs,
    endedBy: { who: 'ann', how: 'kill' },
    sandboxDenied: true,
  });
});

it('[RD6] [EL8] an exit is reported at once when all output has ended, and is visible to listeners of the change', () => {
  reap();
  const states: string[] = [];
  process.onChange(() => states.push(info().state));
  child.onEnd();
  expect(states).toEqual(['closed', 'closed']);
  expect(readById()).toMatchObject({ nextSeq: 3, exited: true, exitCode: 1, closed: true });
});
