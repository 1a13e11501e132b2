// Tests of the order of the messages on one connection: rules DE2 and DE3.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Backlog } from '../rpc/backlog.ts';
import { Connection } from '../rpc/connection.ts';
import { ChannelPair } from '../testing/channel-pair.ts';
import { ConnectionTurn, type Source } from './connection-turn.ts';

const CHUNK = 1000;

let channel: ChannelPair;
let turn: ConnectionTurn;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] });
  channel = new ChannelPair();
  const limits = {
    messageValues: 1e9,
    messageMembers: 1e9,
    pendingRequests: 10,
    pendingBytes: 1e9,
    socketLimitBytes: 1e9,
    lastRepliesMs: 1,
    backlogBytes: 1e9,
    socketHighWaterBytes: 3 * CHUNK,
  };
  const connection = new Connection(channel, limits, new Backlog(limits), () => {});
  connection.serve({ request: () => null, notification: () => {}, malformed: () => {}, closed: () => {} });
  turn = new ConnectionTurn(connection, {
    turnBytes: 4 * CHUNK,
    socketHighWaterBytes: 3 * CHUNK,
    windowPassingBytes: CHUNK,
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns a source with this number of messages of about CHUNK bytes, which contain its name. */
function source(name: string, messages: number): Source & { left: number } {
  return {
    left: messages,
    sendNext() {
      if (this.left === 0) return null;
      this.left -= 1;
      const message = JSON.stringify({ name, filler: 'x'.repeat(CHUNK) });
      turn.connection.send(message);
      return message.length;
    },
    bytesSince: () => messages * CHUNK,
  };
}

const names = (): unknown[] => channel.received.map(({ name }) => name);

it('[DE2] ConnectionTurn sends one message per source in turn, so that a flood delays others by one turn at most', () => {
  turn.ready(source('flood', 1000));
  turn.ready(source('second flood', 1000));
  vi.advanceTimersToNextTimer();
  const before = names().length;
  turn.ready(source('keystroke', 1));
  vi.advanceTimersToNextTimer();
  expect(names().slice(0, before)).toEqual(['flood', 'second flood', 'flood', 'second flood']);
  expect(names().slice(before, before + 3)).toContain('keystroke');
});

it('[DE2] ConnectionTurn yields to other work after each turn', () => {
  turn.ready(source('flood', 1000));
  vi.advanceTimersToNextTimer();
  expect(names()).toHaveLength(4);
});

it('[DE3] ConnectionTurn pulls nothing while its socket is full, and continues when it has drained', () => {
  const flood = source('flood', 10);
  channel.stall();
  turn.ready(flood);
  vi.runAllTimers();
  expect(flood.left).toBe(7);
  channel.flow();
  vi.runAllTimers();
  expect(flood.left).toBe(0);
  expect(names()).toHaveLength(10);
});

it('[DE3] ConnectionTurn pulls nothing once its connection is closed', () => {
  const flood = source('flood', 10);
  turn.ready(flood);
  channel.cut();
  vi.runAllTimers();
  turn.ready(flood);
  vi.runAllTimers();
  expect(flood.left).toBe(10);
});

it('[DE12] a source with little output passes those that wait for a full window, which continue when it opens', () => {
  channel.window = { isFull: true, round: 0 };
  const flood = source('flood', 10);
  turn.ready(flood);
  turn.ready(source('second flood', 2));
  vi.runAllTimers();
  expect(names()).toEqual([]);
  turn.ready(source('keystroke', 1));
  vi.runAllTimers();
  expect(names()).toEqual(['keystroke']);
  channel.window = { isFull: false, round: 1 };
  channel.open();
  vi.runAllTimers();
  expect(flood.left).toBe(0);
  expect(names()).toHaveLength(13);
});

it('[DE12] a turn in which the window fills up continues only when it opens', () => {
  const flood = source('flood', 10);
  channel.window = {
    get isFull() {
      return names().length >= 2;
    },
    round: 0,
  };
  turn.ready(flood);
  vi.runAllTimers();
  expect(flood.left).toBe(8);
});

it('[DE10] a source that can wait has its turn within a millisecond, or at once when it becomes urgent', () => {
  turn.readyLater(source('flood', 1));
  turn.ready(source('keystroke', 1));
  vi.advanceTimersByTime(0);
  expect(names()).toEqual(['keystroke']);
  vi.advanceTimersByTime(1);
  vi.runAllTimers();
  expect(names()).toEqual(['keystroke', 'flood']);
  const full = source('full', 1);
  turn.readyLater(full);
  turn.ready(full);
  vi.advanceTimersByTime(0);
  expect(names()).toEqual(['keystroke', 'flood', 'full']);
});

it('[DE10] a source that can wait has no turn after it was removed', () => {
  const flood = source('flood', 1);
  turn.readyLater(flood);
  turn.remove(flood);
  vi.runAllTimers();
  expect(flood.left).toBe(1);
});

it('[DE10] a source that can wait has no turn after the connection is closed', () => {
  const flood = source('flood', 1);
  turn.readyLater(flood);
  channel.cut();
  vi.runAllTimers();
  expect([flood.left, vi.getTimerCount()]).toEqual([1, 0]);
});

it('[DE2] a turn ends when its bytes are used up exactly', () => {
  const lengths = [CHUNK, 3 * CHUNK, 1];
  const exact: Source = {
    sendNext() {
      const length = lengths.shift();
      if (length === undefined) return null;
      turn.connection.send('{}');
      return length;
    },
    bytesSince: () => 0,
  };
  turn.ready(exact);
  vi.advanceTimersToNextTimer();
  expect(lengths).toEqual([1]);
  vi.runAllTimers();
  expect(lengths).toEqual([]);
});

it('[DE3] a turn begins once, and a removed source has none', () => {
  const [flood, removed] = [source('flood', 1), source('removed', 1)];
  turn.ready(flood);
  turn.ready(flood);
  turn.ready(removed);
  expect(vi.getTimerCount()).toBe(1);
  turn.remove(removed);
  vi.runAllTimers();
  expect([flood.left, removed.left]).toEqual([0, 1]);
});

it('[DE3] the messages of a turn are sent in one batch', () => {
  const batch = vi.spyOn(channel, 'batch');
  turn.ready(source('flood', 3));
  vi.runAllTimers();
  expect(batch).toHaveBeenCalledTimes(1);
});

it('[DE3] a turn that was due when the connection closed does not run', () => {
  turn.ready(source('flood', 1));
  expect(vi.getTimerCount()).toBe(1);
  channel.cut();
  expect(vi.getTimerCount()).toBe(0);
  turn.readyLater(source('flood', 1));
  expect(vi.getTimerCount()).toBe(0);
});

it('[DE12] a source with exactly the passing bytes passes a full window', () => {
  channel.window = { isFull: true, round: 0 };
  turn.ready(source('small', 1));
  vi.runAllTimers();
  expect(names()).toEqual(['small']);
});

it('[DE10] all sources that can wait have their turn after the same millisecond', () => {
  turn.readyLater(source('one', 1));
  turn.readyLater(source('other', 1));
  expect(vi.getTimerCount()).toBe(1);
  vi.runAllTimers();
  turn.readyLater(source('third', 1));
  vi.runAllTimers();
  expect(names()).toEqual(['one', 'other', 'third']);
});

it('[DE3] a socket with exactly its high-water mark unsent is full', () => {
  const flood = source('flood', 1);
  vi.spyOn(channel, 'unsentBytes', 'get').mockReturnValue(3 * CHUNK);
  turn.ready(flood);
  expect(vi.getTimerCount()).toBe(0);
  vi.spyOn(channel, 'unsentBytes', 'get').mockReturnValue(3 * CHUNK - 1);
  channel.open();
  vi.runAllTimers();
  expect(flood.left).toBe(0);
  channel.open();
  expect(vi.getTimerCount()).toBe(0);
});

it('[DE12] a source that waits for a full window schedules no turn', () => {
  channel.window = { isFull: true, round: 0 };
  turn.ready(source('flood', 10));
  expect(vi.getTimerCount()).toBe(0);
});

it('[DE10] a closed connection has no timer for sources that can wait', () => {
  turn.readyLater(source('flood', 1));
  channel.cut();
  expect(vi.getTimerCount()).toBe(0);
});
