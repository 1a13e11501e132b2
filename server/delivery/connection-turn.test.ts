// Order of the messages on one connection: rules DE2 and DE3.
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

/** Has so many messages, each of about CHUNK bytes, and names itself in them. */
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

it('[DE2] gives each source one message, around and around, so that a flood delays nobody by more than a turn', () => {
  turn.ready(source('flood', 1000));
  turn.ready(source('second flood', 1000));
  vi.advanceTimersToNextTimer();
  const before = names().length;
  turn.ready(source('keystroke', 1));
  vi.advanceTimersToNextTimer();
  expect(names().slice(0, before)).toEqual(['flood', 'second flood', 'flood', 'second flood']);
  expect(names().slice(before, before + 3)).toContain('keystroke');
});

it('[DE2] leaves the others their time after each turn', () => {
  turn.ready(source('flood', 1000));
  vi.advanceTimersToNextTimer();
  expect(names()).toHaveLength(4);
});

it('[DE3] pulls nothing for a full socket, and goes on when it is empty', () => {
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

it('[DE3] pulls nothing for a connection that is gone', () => {
  const flood = source('flood', 10);
  turn.ready(flood);
  channel.cut();
  vi.runAllTimers();
  turn.ready(flood);
  vi.runAllTimers();
  expect(flood.left).toBe(10);
});

it('[DE12] lets who has little go past those who wait for a full window, and has these go on when it opens', () => {
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

it('[DE12] goes on with a turn in which the window fills up only when it opens', () => {
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

it('[DE10] gives who can wait its turn within a millisecond, and sooner when it cannot any more', () => {
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

it('[DE10] forgets who could wait and was taken away', () => {
  const flood = source('flood', 1);
  turn.readyLater(flood);
  turn.remove(flood);
  vi.runAllTimers();
  expect(flood.left).toBe(1);
});

it('[DE10] forgets who could wait when the connection goes', () => {
  const flood = source('flood', 1);
  turn.readyLater(flood);
  channel.cut();
  vi.runAllTimers();
  expect([flood.left, vi.getTimerCount()]).toEqual([1, 0]);
});
