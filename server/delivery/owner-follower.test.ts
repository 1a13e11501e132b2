// Tests of the time at which output is sent to an owner: rule DE10.
import { beforeEach, expect, it, vi } from 'vitest';
import { EventLog } from '../keeper/event-log.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { ConnectionTurn } from './connection-turn.ts';
import { frameBuffer } from './frame-buffers.ts';
import { Frames, type Step } from './frames.ts';
import { OwnerFollower } from './owner-follower.ts';

const CHUNK = 32_768;
const READ = 4096;

let log: EventLog;
let follower: OwnerFollower;
const hold = { release: vi.fn(), close: vi.fn() };
const send = vi.fn<(message: string | Buffer, sent?: () => void) => void>();
const turn = { ready: vi.fn(), readyLater: vi.fn(), remove: vi.fn(), connection: { send } };
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 });
  vi.advanceTimersByTime(3_600_000);
  log = new EventLog({ retainedBytes: 1e6, retainedEvents: 1e4, chunkBytes: CHUNK });
  follower = new OwnerFollower(
    { log, hold: () => hold } as Partial<ProcessView> as ProcessView,
    turn as unknown as ConnectionTurn,
    new Frames({ processId: 'p' }),
  );
  vi.clearAllMocks();
  return () => {
    vi.useRealTimers();
  };
});

const next = (): string => {
  follower.sendNext();
  return String(send.mock.lastCall?.[0]);
};
const print = (bytes: number): void => log.append('pty', Buffer.alloc(bytes, 'x'));

it('[DE10] an owner is sent output at once after a pause, whatever its size', () => {
  print(READ);
  expect(turn.ready).toHaveBeenCalledTimes(1);
  follower.sendNext();
  vi.advanceTimersByTime(1);
  print(READ);
  expect(turn.ready).toHaveBeenCalledTimes(2);
  expect(turn.readyLater).not.toHaveBeenCalled();
});

it('[DE10] an owner is sent each of several echoes at once', () => {
  for (let keystrokes = 1; keystrokes <= 5; keystrokes += 1) {
    print(1);
    expect(turn.ready).toHaveBeenCalledTimes(keystrokes);
    follower.sendNext();
  }
});

it('[DE10] an owner is sent a flood in whole chunks', () => {
  print(READ);
  follower.sendNext();
  vi.clearAllMocks();
  for (let bytes = READ; bytes < CHUNK; bytes += READ) print(READ);
  expect(turn.ready).not.toHaveBeenCalled();
  expect(turn.readyLater).toHaveBeenCalledTimes(CHUNK / READ - 1);
  print(READ);
  expect(turn.ready).toHaveBeenCalledTimes(1);
});

it('[DE10] an owner is sent the beginning of a chunk after a full one only together with the output that follows', () => {
  print(CHUNK + READ);
  expect(next()).toContain('"seq":1,');
  vi.clearAllMocks();
  expect(follower.sendNext()).toBeNull();
  expect(turn.readyLater).toHaveBeenCalledTimes(1);
  expect(log.nextSeq).toBe(2);
  vi.advanceTimersByTime(1);
  expect(next()).toContain('"seq":2,');
});

it('[DE10] an owner is sent the end at once, after all output before it', () => {
  print(READ);
  follower.sendNext();
  print(READ);
  vi.clearAllMocks();
  log.exited(0, false);
  expect(turn.ready).toHaveBeenCalledTimes(1);
  expect(next()).toContain('"seq":2,"stream":"pty"');
  expect(next()).toContain('process/exited');
});

it('[DE10] an owner is sent a chunk together with the next only if it is large', () => {
  print(2047);
  follower.sendNext();
  vi.clearAllMocks();
  print(1);
  expect([turn.ready.mock.calls.length, turn.readyLater.mock.calls.length]).toEqual([1, 0]);
  follower.sendNext();
  print(2048);
  follower.sendNext();
  vi.clearAllMocks();
  print(1);
  expect([turn.ready.mock.calls.length, turn.readyLater.mock.calls.length]).toEqual([0, 1]);
  vi.advanceTimersByTime(1);
  print(1);
  expect(turn.ready).toHaveBeenCalledTimes(1);
});

it('[DE1] an owner is sent no sizes, and its process may continue after each message', () => {
  log.resized({ rows: 24, cols: 80 });
  print(5);
  log.resized({ rows: 30, cols: 90 });
  log.exited(0, false);
  expect(follower.hasMore).toBe(true);
  const lengths = [follower.sendNext(), follower.sendNext()];
  expect(lengths).toEqual(send.mock.calls.map(([message]) => message.length));
  expect(send.mock.calls.map(([message]) => /process\/\w+/.exec(String(message))?.[0])).toEqual([
    'process/output',
    'process/exited',
  ]);
  expect(hold.release.mock.calls).toEqual([
    [2, 5],
    [3, 5],
  ]);
  log.resized({ rows: 40, cols: 100 });
  expect(follower.hasMore).toBe(true);
  expect(follower.sendNext()).toBeNull();
  expect(follower.hasMore).toBe(false);
  expect(send).toHaveBeenCalledTimes(2);
});

it('[DE12] an owner’s output in one round counts together', () => {
  print(10);
  expect(follower.bytesSince(0)).toBe(10);
  follower.sendNext();
  print(5);
  expect(follower.bytesSince(0)).toBe(15);
  expect(follower.bytesSince(1)).toBe(5);
});

it('a stopped follower leaves nothing behind', () => {
  follower.stop();
  print(5);
  expect(turn.ready).not.toHaveBeenCalled();
  expect(turn.remove).toHaveBeenCalledExactlyOnceWith(follower);
  expect(hold.close).toHaveBeenCalledTimes(1);
});

it('only the buffers of output are reused', () => {
  print(30_000);
  follower.sendNext();
  log.exited(0, false);
  follower.sendNext();
  const [[message, taken], [, none]] = send.mock.calls as [[Buffer, () => void], [string, undefined]];
  expect(none).toBeUndefined();
  taken();
  expect(frameBuffer(40_000).buffer).toBe(message.buffer);
});

it('[DE10] an owner is sent nothing, and no later turn is requested, when there is no output', () => {
  print(CHUNK);
  follower.sendNext();
  vi.clearAllMocks();
  expect(follower.sendNext()).toBeNull();
  expect(turn.readyLater).not.toHaveBeenCalled();
});

it('an event without a message in a dialect is not sent', () => {
  const frames = { of: (step: Step) => (step.kind === 'exited' ? null : step.kind) };
  const other = new OwnerFollower(
    { log, hold: () => hold } as Partial<ProcessView> as ProcessView,
    turn as unknown as ConnectionTurn,
    frames,
  );
  log.exited(0, false);
  log.closed();
  expect(other.sendNext()).toBe('closed'.length);
  expect(other.sendNext()).toBeNull();
  other.stop();
});
