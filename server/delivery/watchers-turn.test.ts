// Tests of the times at which watchers are served, and of the duration of turns: rule DE9.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventLog } from '../keeper/event-log.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { Attachment, Cursor } from './attachment.ts';
import type { Step } from './frames.ts';
import { WatchersTurn } from './watchers-turn.ts';

const LIMITS = { watchersTurnMs: 33, watchersShare: 0.03, watchersShareWhenBusy: 0.007 };
const load = { isBusy: false };

let log: EventLog;
let turn: WatchersTurn;
let sentAt: number[];
/** Cost of one message in ms; the clock does not advance otherwise. */
let costMs: number;
beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout', 'performance'],
    now: 0,
  });
  // The clock starts at one hour, so that the first turn follows a quiet period.
  vi.advanceTimersByTime(3_600_000);
  log = new EventLog({ retainedBytes: 1e6, retainedEvents: 1e4, chunkBytes: 10 });
  load.isBusy = false;
  turn = new WatchersTurn(LIMITS, load);
  sentAt = [];
  costMs = 0;
  turn.join(watcher());
});
afterEach(() => {
  turn.close();
  vi.useRealTimers();
});

function watcher(of: EventLog = log): Attachment {
  const cursor = new Cursor(of, 0);
  const attachment: Pick<
    Attachment,
    'process' | 'canTakeMore' | 'hasLittle' | 'pull' | 'send' | 'batch' | 'sendShared'
  > = {
    process: { log: of } as Partial<ProcessView> as ProcessView,
    canTakeMore: true,
    get hasLittle() {
      return cursor.unreadBytes <= 100;
    },
    pull: () => cursor.pull(),
    send: (step: Step) => {
      sentAt.push(performance.now() - 3_600_000);
      vi.advanceTimersByTime(costMs);
      return step.kind === 'output' ? step.bytes.length : 1;
    },
    batch: (work) => work(),
    // oxlint-disable-next-line typescript/unbound-method -- the method is called on this object
    sendShared: Attachment.prototype.sendShared,
  };
  return attachment as Attachment;
}

const print = (bytes: number): void => log.append('pty', Buffer.alloc(bytes, 'x'));

it('[DE9] a turn begins at once after a quiet period', () => {
  print(5);
  vi.advanceTimersToNextTimer();
  expect(sentAt).toEqual([0]);
});

it('[DE9] turns begin at most every 33 ms', () => {
  print(5);
  vi.advanceTimersByTime(0);
  print(5);
  vi.advanceTimersByTime(32);
  expect(sentAt).toEqual([0]);
  vi.advanceTimersByTime(1);
  expect(sentAt).toEqual([0, 33]);
});

it('[DE9] turns take at most 3 % of the time, however much is printed and however many connections watch', () => {
  costMs = 2;
  for (let others = 0; others < 4; others += 1) turn.join(watcher());
  print(10_000);
  vi.advanceTimersByTime(10_000);
  expect(sentAt.length).toBeGreaterThan(0);
  expect(sentAt.length * costMs).toBeLessThanOrEqual(10_000 * LIMITS.watchersShare * 1.1);
});

it('[DE9] turns take at most 0.7 % of the time while the gateway is busy, and serve all watchers equally', () => {
  load.isBusy = true;
  costMs = 0.5;
  const others = [watcher(), watcher(), watcher()];
  for (const other of others) turn.join(other);
  const sends = others.map((other) => vi.spyOn(other, 'send'));
  print(10_000);
  vi.advanceTimersByTime(10_000);
  expect(sentAt.length * costMs).toBeGreaterThan(10_000 * LIMITS.watchersShareWhenBusy * 0.5);
  expect(sentAt.length * costMs).toBeLessThanOrEqual(10_000 * LIMITS.watchersShareWhenBusy * 1.1);
  const gaps = sentAt.slice(1).map((atMs, index) => atMs - (sentAt[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(costMs / LIMITS.watchersShareWhenBusy - 2);
  const each = sends.map((send) => send.mock.calls.length);
  expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1);
});

it('[DE9] watchers with little unread output are served before those with much', () => {
  costMs = 1;
  print(10_000);
  const typed = new EventLog({ retainedBytes: 1e6, retainedEvents: 1e4, chunkBytes: 10 });
  vi.advanceTimersByTime(200);
  const echo = watcher(typed);
  turn.join(echo);
  const send = vi.spyOn(echo, 'send');
  for (let key = 1; key <= 20; key += 1) {
    typed.append('pty', Buffer.from('k'));
    vi.advanceTimersByTime(LIMITS.watchersTurnMs + costMs / LIMITS.watchersShare);
    expect(send).toHaveBeenCalledTimes(key);
  }
});

it('[DE9] a turn in which the system ran something else delays the next one only briefly', () => {
  print(5);
  costMs = 500;
  vi.advanceTimersByTime(0);
  costMs = 0;
  print(5);
  vi.advanceTimersByTime(600);
  expect(sentAt).toHaveLength(2);
});

it('[DE9] a gap is sent together with the output after it, however many watch and however fast the log grows', () => {
  load.isBusy = true;
  costMs = 0.5;
  const flooded = new EventLog({ retainedBytes: 100, retainedEvents: 1e4, chunkBytes: 10 });
  const others = Array.from({ length: 20 }, () => watcher(flooded));
  for (const other of others) turn.join(other);
  const sends = others.map((other) => vi.spyOn(other, 'send'));
  for (let passed = 0; passed < 2000; passed = performance.now() - 3_600_000) {
    flooded.append('stdout', Buffer.alloc(1000, 'x'));
    vi.advanceTimersByTime(1);
  }
  for (const send of sends) {
    const sent = send.mock.calls.map(([{ kind }]) => kind);
    expect(sent).toContain('gap');
    expect(sent.filter((kind) => kind === 'output').length).toBeGreaterThanOrEqual(
      sent.filter((kind) => kind === 'gap').length,
    );
  }
});

it('[DE9] a watcher that has left is not served', () => {
  const other = watcher();
  turn.join(other);
  turn.leave(other);
  print(5);
  vi.advanceTimersByTime(100);
  expect(sentAt).toEqual([0]);
});

it('[DE9] only watchers whose window has opened are served between two turns', () => {
  const opened = watcher();
  turn.join(opened);
  print(5);
  vi.advanceTimersByTime(1);
  expect(sentAt).toEqual([0, 0]);
  print(5);
  vi.advanceTimersByTime(9);
  turn.opened(opened);
  vi.advanceTimersByTime(10);
  expect(sentAt).toEqual([0, 0, 10]);
  vi.advanceTimersByTime(20);
  expect(sentAt).toEqual([0, 0, 10, 33]);
});

it('[DE9] a watcher that has left is not served although its window had opened', () => {
  const opened = watcher();
  turn.join(opened);
  print(5);
  vi.advanceTimersByTime(1);
  print(5);
  turn.opened(opened);
  turn.leave(opened);
  const send = vi.spyOn(opened, 'send');
  vi.advanceTimersByTime(100);
  expect(send).not.toHaveBeenCalled();
});

it('[DE9] turns take at most 3 % of the time for watchers whose windows open again and again', () => {
  costMs = 2;
  const opened = watcher();
  turn.join(opened);
  print(10_000);
  for (let passed = 0; passed < 10_000; passed = performance.now() - 3_600_000) {
    turn.opened(opened);
    vi.advanceTimersByTime(1);
  }
  expect(sentAt.length * costMs).toBeGreaterThan(10_000 * LIMITS.watchersShare * 0.5);
  expect(sentAt.length * costMs).toBeLessThanOrEqual(10_000 * LIMITS.watchersShare * 1.1);
});

it('[DE9] an attachment that cannot take more is not served until it is ready again', () => {
  const slow = watcher();
  Object.assign(slow, { canTakeMore: false });
  const send = vi.spyOn(slow, 'send');
  turn.join(slow);
  print(5);
  vi.advanceTimersByTime(100);
  expect(send).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
  Object.assign(slow, { canTakeMore: true });
  turn.ready(slow);
  vi.advanceTimersByTime(0);
  expect(send).toHaveBeenCalledTimes(1);
});

it('[DE9] watchers of one process share a subscription, which ends with the last of them', () => {
  const shared = new EventLog({ retainedBytes: 1e6, retainedEvents: 1e4, chunkBytes: 10 });
  const off = vi.fn();
  const subscribe = vi.spyOn(shared, 'onChange').mockReturnValue(off);
  const process = { log: shared } as Partial<ProcessView> as ProcessView;
  const both = [watcher(shared), watcher(shared)] as const;
  for (const each of both) {
    Object.assign(each, { process });
    turn.join(each);
  }
  expect(subscribe).toHaveBeenCalledTimes(1);
  turn.leave(both[0]);
  expect(off).not.toHaveBeenCalled();
  turn.leave(both[1]);
  expect(off).toHaveBeenCalledTimes(1);
  turn.leave(both[1]);
  expect(off).toHaveBeenCalledTimes(1);
  turn.join(both[0]);
  expect(subscribe).toHaveBeenCalledTimes(2);
  turn.close();
  expect(off).toHaveBeenCalledTimes(2);
});

it('[DE9] a closed turn has no timer, whether it was due at once or later', () => {
  print(5);
  expect(vi.getTimerCount()).toBe(1);
  turn.close();
  expect(vi.getTimerCount()).toBe(0);
  turn = new WatchersTurn(LIMITS, load);
  turn.join(watcher());
  vi.advanceTimersByTime(1);
  print(5);
  expect(vi.getTimerCount()).toBe(1);
  turn.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(100);
  expect(sentAt).toHaveLength(1);
});

it('[DE9] changes of a process that nobody watches any more cause no turn', () => {
  const other = new EventLog({ retainedBytes: 1e6, retainedEvents: 1e4, chunkBytes: 10 });
  const gone = watcher(other);
  vi.advanceTimersByTime(100);
  turn.join(gone);
  vi.advanceTimersByTime(100);
  turn.leave(gone);
  other.append('pty', Buffer.from('x'));
  expect(vi.getTimerCount()).toBe(0);
});

it('[DE9] an opened window brings forward a turn that was due later', () => {
  const opened = watcher();
  turn.join(opened);
  print(5);
  vi.advanceTimersByTime(0);
  print(5);
  // The next turn for all is due after 33 ms.
  vi.advanceTimersByTime(5);
  turn.opened(opened);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(0);
  expect(sentAt).toEqual([0, 0, 5]);
});

it('[DE9] a turn without work schedules no other', () => {
  print(5);
  vi.advanceTimersByTime(100);
  expect(sentAt).toEqual([0]);
  expect(vi.getTimerCount()).toBe(0);
});

it('[DE9] a turn sends several steps to one watcher while there is time', () => {
  print(35);
  vi.advanceTimersToNextTimer();
  expect(sentAt).toEqual([0, 0, 0, 0]);
});

it('[DE9] after a turn of a millisecond, the next begins after its share of the time', () => {
  costMs = 1;
  print(30);
  vi.advanceTimersByTime(1000);
  // A turn has 33 ms × 3 %, so it ends after one message, and the next one begins 1 ms ÷ 3 % after its start.
  expect(sentAt.map(Math.round)).toEqual([0, 33, 66]);
});

it('[DE9] the rest after a long turn is at most a tenth of a second', () => {
  costMs = 50;
  print(20);
  vi.advanceTimersByTime(1000);
  expect(sentAt).toEqual([0, 100]);
});

it('[DE9] a watcher that was not served for lack of time is first in the next turn', () => {
  costMs = 1;
  const other = watcher();
  const order: string[] = [];
  turn.join(other);
  vi.spyOn(other, 'send').mockImplementation(() => {
    order.push('other');
    vi.advanceTimersByTime(1);
    return 1;
  });
  print(20);
  vi.advanceTimersByTime(1);
  expect([sentAt.length, order.length]).toEqual([1, 0]);
  vi.advanceTimersByTime(34);
  expect([sentAt.length, order.length]).toEqual([1, 1]);
});
