// Tests of the time for which a process waits for the page that controls it: rule DE8.
import { beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../config.ts';
import { EventLog } from '../keeper/event-log.ts';
import { FlowControl } from '../keeper/flow-control.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import type { Connection } from '../rpc/connection.ts';
import { Attachment } from './attachment.ts';
import type { ConnectionTurn } from './connection-turn.ts';
import type { WatchersTurn } from './watchers-turn.ts';

const { ackTimeoutMs, pauseBytes } = DEFAULT_LIMITS;

let log: EventLog;
let flow: FlowControl;
let isPaused: boolean;
let attachment: Attachment;
beforeEach(() => {
  vi.useFakeTimers();
  log = new EventLog(DEFAULT_LIMITS);
  isPaused = false;
  flow = new FlowControl(DEFAULT_LIMITS, log, {
    pause: () => (isPaused = true),
    resume: () => (isPaused = false),
  });
  // Stub of both turns, which sends nothing; the tests call `sendNext`.
  const turn = { ready: () => {}, remove: () => {}, join: () => {}, leave: () => {} };
  attachment = new Attachment({
    process: {
      key: 'k',
      processId: 'p',
      log,
      hold: (seq, offset) => flow.hold(seq, offset),
    } as Partial<ProcessView> as ProcessView,
    processId: 'p',
    connection: { onDrain: () => () => {}, send: () => {} } as unknown as Connection,
    connectionTurn: turn as unknown as ConnectionTurn,
    watchersTurn: turn as unknown as WatchersTurn,
    windowBytes: 1e6,
    limits: DEFAULT_LIMITS,
    seen: (chunk) => chunk,
  });
  attachment.setHolding(true);
  return () => {
    attachment.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  };
});

function print(bytes: number): void {
  log.append('stdout', Buffer.alloc(bytes));
  flow.check();
}

it('[DE8] a process resumes after the timeout although its connection sent nothing to acknowledge', () => {
  print(pauseBytes + 1);
  expect(isPaused).toBe(true);
  vi.advanceTimersByTime(ackTimeoutMs - 1000);
  expect(isPaused).toBe(true);
  vi.advanceTimersByTime(ackTimeoutMs);
  expect(isPaused).toBe(false);
});

it('[DE8] an attachment has no timeout pending while everything is acknowledged', () => {
  for (let n = 0; n < 10; n += 1) {
    print(100);
    attachment.sendNext();
    attachment.acknowledge(log.nextSeq - 1);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(ackTimeoutMs);
  }
  print(pauseBytes + 1);
  expect(isPaused).toBe(true);
});

it('[DE8] a process resumes after the timeout when only a part was acknowledged', () => {
  print(pauseBytes + 1);
  while (attachment.sendNext());
  attachment.acknowledge(1);
  vi.advanceTimersByTime(2 * ackTimeoutMs);
  print(pauseBytes + 1);
  expect(isPaused).toBe(false);
});

it('[DE8] a repeated acknowledgement of the same event does not extend the timeout', () => {
  print(2 * pauseBytes);
  attachment.sendNext();
  attachment.sendNext();
  attachment.acknowledge(1);
  for (let n = 0; n < 8; n += 1) {
    vi.advanceTimersByTime(ackTimeoutMs / 2);
    attachment.acknowledge(1);
  }
  expect(isPaused).toBe(false);
});

it('[DE8] a process waits again once everything has been acknowledged', () => {
  print(pauseBytes + 1);
  while (attachment.sendNext());
  vi.advanceTimersByTime(2 * ackTimeoutMs);
  print(pauseBytes + 1);
  expect(isPaused).toBe(false);
  while (attachment.sendNext());
  attachment.acknowledge(log.nextSeq - 1);
  print(pauseBytes + 1);
  expect(isPaused).toBe(true);
});
