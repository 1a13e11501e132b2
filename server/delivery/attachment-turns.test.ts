// Tests of the calls that an attachment makes to its turns, connection and process, and of its clean-up: rules DE6
// to DE12.
import { beforeEach, expect, it, vi } from 'vitest';
import { EventLog } from '../keeper/event-log.ts';
import type { OutputEvent } from '../keeper/log-event.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { Connection } from '../rpc/connection.ts';
import { Attachment, Cursor, type Built } from './attachment.ts';
import type { ConnectionTurn } from './connection-turn.ts';
import { frameBuffer } from './frame-buffers.ts';
import type { WatchersTurn } from './watchers-turn.ts';

const LIMITS = {
  chunkBytes: 10,
  watcherHighWaterBytes: 1000,
  windowPassingBytes: 20,
  attachWindowChunks: 3,
  ackTimeoutMs: 60_000,
};

let log: EventLog;
let channel: {
  unsentBytes: number;
  window: { isFull: boolean; round: number } | null;
  batch: (work: () => void) => void;
};
let drained: () => void;
const offDrain = vi.fn();
const send = vi.fn<(message: string | Buffer, sent?: () => void) => void>();
const connectionTurn = { ready: vi.fn(), remove: vi.fn() };
const watchersTurn = { join: vi.fn(), leave: vi.fn(), ready: vi.fn(), opened: vi.fn(), missedBytes: 0 };
const hold = { release: vi.fn(), close: vi.fn() };
const seen = vi.fn((chunk: OutputEvent) => chunk);
let attachment: Attachment;
beforeEach(() => {
  vi.clearAllMocks();
  vi.useFakeTimers();
  log = new EventLog({ retainedBytes: 100, retainedEvents: 100, chunkBytes: 10 });
  channel = { unsentBytes: 0, window: null, batch: vi.fn((work: () => void) => work()) };
  watchersTurn.missedBytes = 0;
  attachment = attach();
  vi.clearAllMocks();
  return () => {
    attachment.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  };
});

function attach(processId = 'p', afterSeq?: number): Attachment {
  const onDrain = (listener: () => void): (() => void) => {
    drained = listener;
    return offDrain;
  };
  return new Attachment({
    process: { key: 'k', processId: 'p', log, hold: () => hold } as Partial<ProcessView> as ProcessView,
    processId,
    connection: { onDrain, send, channel } as unknown as Connection,
    connectionTurn: connectionTurn as unknown as ConnectionTurn,
    watchersTurn: watchersTurn as unknown as WatchersTurn,
    windowBytes: 1000,
    ...(afterSeq !== undefined && { afterSeq }),
    limits: LIMITS,
    seen,
  });
}

function print(bytes: number): void {
  log.append('pty', Buffer.alloc(bytes, 'x'));
}
const sent = (): string[] => send.mock.calls.map(([message]) => message.toString());
const methods = (): unknown[] => sent().map((message) => /process\/\w+/.exec(message)?.[0]);

it('an attachment starts after the output so far, and reports its position', () => {
  print(25);
  const later = attach();
  expect([later.nextSeq, later.offset]).toEqual([4, 25]);
  expect(watchersTurn.join).toHaveBeenCalledWith(later);
  expect(later.pull()).toBeNull();
});

it('[DE6] an attachment takes more only below the socket’s high-water mark, and with credit', () => {
  channel.unsentBytes = LIMITS.watcherHighWaterBytes - 1;
  expect(attachment.canTakeMore).toBe(true);
  channel.unsentBytes = LIMITS.watcherHighWaterBytes;
  expect(attachment.canTakeMore).toBe(false);
  channel.unsentBytes = 0;
  print(40);
  for (let chunks = 0; chunks < LIMITS.attachWindowChunks; chunks += 1) {
    expect(attachment.canTakeMore).toBe(true);
    expect(attachment.sendNext()).toBeGreaterThan(0);
  }
  expect(attachment.canTakeMore).toBe(false);
  expect(attachment.sendNext()).toBeNull();
  expect(attachment.pull()).toBeNull();
  attachment.acknowledge(1);
  expect(attachment.canTakeMore).toBe(true);
});

it('[DE12] an attachment passes a full window with little output, and counts as little up to the same bytes', () => {
  channel.window = { isFull: true, round: 1 };
  print(LIMITS.windowPassingBytes);
  expect([attachment.canTakeMore, attachment.hasLittle]).toEqual([true, true]);
  print(1);
  expect([attachment.canTakeMore, attachment.hasLittle]).toEqual([false, false]);
  channel.window = { isFull: false, round: 2 };
  expect(attachment.canTakeMore).toBe(true);
});

it('[DE12] an attachment that missed its turn at a full window is served again when the window opens, once', () => {
  drained();
  expect([watchersTurn.ready.mock.calls, watchersTurn.opened.mock.calls]).toEqual([[[attachment]], []]);
  channel.window = { isFull: true, round: 1 };
  print(LIMITS.windowPassingBytes + 1);
  expect(attachment.canTakeMore).toBe(false);
  drained();
  expect(watchersTurn.opened).toHaveBeenCalledExactlyOnceWith(attachment);
  expect(watchersTurn.ready).toHaveBeenCalledTimes(1);
  drained();
  expect(watchersTurn.opened).toHaveBeenCalledTimes(1);
  expect(watchersTurn.ready).toHaveBeenCalledTimes(2);
});

it('[DE9] attachments with the same process id share one message, and others get their own', () => {
  const [alike, other] = [attach('p'), attach('q')];
  print(5);
  const built: Built = new Map();
  for (const each of [attachment, alike, other]) expect(each.sendShared(built)).toBe(true);
  const [first, second, third] = send.mock.calls.map(([message]) => message);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  expect(sent()[2]).toContain('"processId":"q"');
  expect(attachment.sendShared(built)).toBe(false);
  expect(channel.batch).not.toHaveBeenCalled();
  const message = attachment.send({ kind: 'closed', seq: 2, offset: 5 }, built);
  expect(message).toBe(sent().at(-1)?.length);
  for (const each of [alike, other]) each.stop();
});

it('[DE7][DE9] a gap is counted, and sent in one batch with the step after it', () => {
  print(5);
  log.seal();
  print(300);
  expect(attachment.sendShared(new Map())).toBe(true);
  expect(methods()).toEqual(['process/gap', 'process/output']);
  expect(channel.batch).toHaveBeenCalledTimes(1);
  expect(watchersTurn.missedBytes).toBe(log.firstOffset);
  expect(watchersTurn.missedBytes).toBeGreaterThan(0);
});

it('[DE7] a gap is sent alone when everything was evicted', () => {
  print(5);
  log.seal();
  log.discard();
  expect(attachment.sendShared(new Map())).toBe(true);
  expect(methods()).toEqual(['process/gap']);
});

it('only output is charged to the credit, and only output is masked', () => {
  print(5);
  log.resized({ rows: 1, cols: 2 });
  log.exited(0, false);
  log.closed();
  while (attachment.sendNext() !== null);
  expect(methods()).toEqual(['process/output', 'process/resized', 'process/exited', 'process/closed']);
  expect(seen).toHaveBeenCalledTimes(1);
  attachment.acknowledge(1);
  expect(watchersTurn.ready).toHaveBeenCalledTimes(1);
  attachment.acknowledge(1);
  expect(watchersTurn.ready).toHaveBeenCalledTimes(1);
});

it('sendNext returns the length of its message, and only the buffers of output are released', () => {
  print(5);
  log.exited(0, false);
  expect([attachment.sendNext(), attachment.sendNext()]).toEqual(
    send.mock.calls.map(([message]) => message.length),
  );
  expect(send.mock.calls.map(([, taken]) => typeof taken)).toEqual(['function', 'undefined']);
});

it('the buffer of a large message is reused once it is sent', () => {
  log = new EventLog({ retainedBytes: 1e6, retainedEvents: 100, chunkBytes: 30_000 });
  const large = attach();
  print(30_000);
  large.sendNext();
  const [message, taken] = send.mock.lastCall ?? [];
  taken?.();
  expect(frameBuffer(40_000).buffer).toBe((message as Buffer).buffer);
  large.stop();
});

it('[DE8] a controller moves from the watchers’ turn to its connection’s turn, and back when it loses control', () => {
  attachment.setHolding(true);
  expect(watchersTurn.leave).toHaveBeenCalledExactlyOnceWith(attachment);
  // No timeout runs while there is nothing to acknowledge.
  expect(vi.getTimerCount()).toBe(0);
  expect(connectionTurn.ready).toHaveBeenCalledExactlyOnceWith(attachment);
  print(5);
  expect(connectionTurn.ready).toHaveBeenCalledTimes(2);
  drained();
  expect(connectionTurn.ready).toHaveBeenCalledTimes(3);
  expect(watchersTurn.ready).not.toHaveBeenCalled();
  attachment.setHolding(true);
  expect(watchersTurn.leave).toHaveBeenCalledTimes(1);

  attachment.sendNext();
  expect(hold.release).toHaveBeenLastCalledWith(2, 5);
  attachment.setHolding(false);
  expect(hold.close).toHaveBeenCalledTimes(1);
  expect(connectionTurn.remove).toHaveBeenCalledExactlyOnceWith(attachment);
  expect(watchersTurn.join).toHaveBeenCalledExactlyOnceWith(attachment);
  expect(vi.getTimerCount()).toBe(0);
  print(5);
  expect(connectionTurn.ready).toHaveBeenCalledTimes(3);
  attachment.setHolding(false);
  expect(hold.close).toHaveBeenCalledTimes(1);
  expect(watchersTurn.join).toHaveBeenCalledTimes(1);
});

it('[DE8] a stopped attachment leaves nothing behind', () => {
  attachment.setHolding(true);
  print(5);
  expect(vi.getTimerCount()).toBe(1);
  attachment.stop();
  expect(vi.getTimerCount()).toBe(0);
  expect(hold.close).toHaveBeenCalledTimes(1);
  expect(offDrain).toHaveBeenCalledTimes(1);
  expect(watchersTurn.leave).toHaveBeenLastCalledWith(attachment);
  // A late acknowledgement does not make the process wait again.
  attachment.sendNext();
  attachment.acknowledge(99);
  expect(hold.release).not.toHaveBeenCalled();
  expect(connectionTurn.ready).toHaveBeenCalledTimes(2);
});

it('[DE8] an attachment whose process stopped waiting waits again only after everything is acknowledged', () => {
  attachment.setHolding(true);
  print(5);
  log.seal();
  print(5);
  attachment.sendNext();
  vi.advanceTimersByTime(2 * LIMITS.ackTimeoutMs);
  expect(hold.close).toHaveBeenCalledTimes(1);
  attachment.setHolding(true);
  attachment.sendNext();
  attachment.acknowledge(1);
  expect(connectionTurn.ready).toHaveBeenCalledTimes(3);
  attachment.acknowledge(2);
  expect(connectionTurn.ready).toHaveBeenCalledTimes(5);
});

it('a cursor has more when there are events, output without a seq, or another size', () => {
  log.resized({ rows: 24, cols: 80 });
  const cursor = new Cursor(log);
  expect([cursor.hasMore, cursor.hasSealed]).toEqual([false, false]);
  print(1);
  expect([cursor.hasMore, cursor.hasSealed, cursor.nextSeq, cursor.givenBytes]).toEqual([true, false, 1, 0]);
  log.seal();
  expect([cursor.hasMore, cursor.hasSealed]).toEqual([true, true]);
  cursor.pull();
  expect([cursor.hasMore, cursor.nextSeq, cursor.givenBytes]).toEqual([false, 2, 1]);
  log.resized({ rows: 30, cols: 90 });
  expect(cursor.hasMore).toBe(true);
  cursor.pull();
  expect(cursor.hasMore).toBe(false);
  log.exited(0, false);
  expect([cursor.hasMore, cursor.hasSealed]).toEqual([true, true]);
});

it('a cursor leaves the newest output unsealed while there are events before it', () => {
  const cursor = new Cursor(log);
  print(1);
  log.seal();
  print(1);
  cursor.pull();
  expect(log.nextSeq).toBe(2);
  cursor.pull();
  expect(log.nextSeq).toBe(3);
});

it('a cursor after an event before the log’s beginning starts with a gap', () => {
  print(500);
  const cursor = new Cursor(log, 0);
  expect(cursor.pull()).toMatchObject({
    kind: 'gap',
    afterSeq: 0,
    nextSeq: log.firstSeq,
    bytes: log.firstOffset,
  });
  expect([cursor.nextSeq, cursor.givenBytes]).toEqual([log.firstSeq, log.firstOffset]);
});

it.each([true, false])(
  'a cursor counts the lost end of a restored log (with earlier events: %s)',
  (hasEvents) => {
    const bytes = Buffer.from('abc');
    const events = hasEvents
      ? [{ kind: 'output', seq: 1, offset: 0, stream: 'stdout', bytes, atMs: 0 } as const]
      : [];
    const end = { nextSeq: 9, offset: 100, exit: { exitCode: 0, sandboxDenied: false }, isClosed: true };
    const cursor = new Cursor(EventLog.restored(events, [], end), 0);
    const steps = Array.from({ length: 5 }, () => cursor.pull()).filter((step) => step !== null);
    const last = steps.slice(-3);
    expect(last.map(({ kind }) => kind)).toEqual(['gap', 'exited', 'closed']);
    expect(last[0]).toMatchObject({ nextSeq: 7, bytes: hasEvents ? 97 : 100 });
    expect([cursor.nextSeq, cursor.givenBytes, cursor.unreadBytes]).toEqual([9, 100, 0]);
  },
);
