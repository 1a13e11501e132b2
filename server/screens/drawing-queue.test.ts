// Tests of the order in which the screens' thread works: rule SN8.
import { expect, it } from 'vitest';
import { DrawingQueue } from './drawing-queue.ts';
import type { ToDraw } from './messages.ts';

const feed = (screen: number, text: string): ToDraw => ({
  kind: 'feed',
  screen,
  bytes: Buffer.from(text),
});
const snapshot = (screen: number, request = 0): ToDraw => ({
  kind: 'snapshot',
  screen,
  request,
  scrollback: 0,
});
const picture = (screen: number): ToDraw => ({ kind: 'picture', screen, request: 0 });

const reported = (message: ToDraw | undefined): string | undefined =>
  message &&
  `${message.screen} ${message.kind === 'feed' ? Buffer.from(message.bytes).toString() : message.kind}`;

function queueOf(...messages: ToDraw[]): DrawingQueue {
  const queue = new DrawingQueue();
  for (const message of messages) queue.add(message);
  return queue;
}

function rest(queue: DrawingQueue): string[] {
  const order: string[] = [];
  for (let next = queue.next(); next; next = queue.next()) order.push(reported(next) ?? '');
  return order;
}

it('[SN8] output and pictures are drawn in their order', () => {
  const queue = queueOf(feed(1, 'a'), feed(2, 'b'), picture(1), feed(1, 'c'));
  expect(rest(queue)).toEqual(['1 a', '2 b', '1 picture', '1 c']);
  expect(queue.next()).toBeUndefined();
});

it('[SN8] the output for a snapshot is drawn in its order, before the output of other screens', () => {
  const queue = queueOf(feed(1, 'a'), feed(2, 'b'), feed(3, 'c'), feed(2, 'd'), feed(3, 'e'), snapshot(3));
  expect(rest(queue)).toEqual(['3 c', '3 e', '3 snapshot', '1 a', '2 b', '2 d']);
});

it('[SN8] output after the request for a snapshot is drawn after the snapshot', () => {
  const queue = queueOf(feed(2, 'a'), feed(1, 'b'), snapshot(1), feed(1, 'c'), snapshot(2), feed(2, 'd'));
  expect(rest(queue)).toEqual(['1 b', '1 snapshot', '1 c', '2 a', '2 snapshot', '2 d']);
});

it('[SN8] snapshots are made in the order of their requests, each without interruption', () => {
  const queue = queueOf(feed(1, 'a'), feed(2, 'b'), snapshot(2), feed(2, 'c'), snapshot(1), snapshot(2));
  expect(rest(queue)).toEqual(['2 b', '2 snapshot', '1 a', '1 snapshot', '2 c', '2 snapshot']);
});

it('[SN8] other output is drawn between two snapshots, even when there is always another request', () => {
  const queue = queueOf(feed(1, 'a'), feed(1, 'b'), snapshot(2), feed(2, 'c'));
  const order: (string | undefined)[] = [];
  for (let request = 0; request < 6; request++) {
    queue.add(snapshot(2, request));
    order.push(reported(queue.next()));
  }
  expect(order).toEqual(['2 snapshot', '1 a', '2 c', '2 snapshot', '1 b', '2 snapshot']);
});

it('[SN8] the output of other screens is drawn before the rest of a message that needs several turns', () => {
  const queue = queueOf(feed(1, 'a'), feed(2, 'b'), feed(1, 'c'), feed(3, 'd'));
  const first = queue.next();
  if (first) queue.putBack(first);
  expect(rest(queue)).toEqual(['2 b', '3 d', '1 a', '1 c']);
});

it('[SN8] snapshots that need several turns take them in turn, and other output is drawn in between', () => {
  const queue = queueOf(feed(1, 'a'), feed(2, 'b'), snapshot(1), snapshot(2), feed(3, 'c'), feed(3, 'd'));
  const order: (string | undefined)[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const message = queue.next();
    order.push(reported(message));
    if (message && message.screen !== 3) queue.putBack(message);
  }
  expect(order).toEqual(['1 a', '3 c', '2 b', '3 d', '1 a', '2 b']);
  expect(rest(queue)).toEqual(['1 a', '1 snapshot', '2 b', '2 snapshot']);
});

it('[SN8] a snapshot that was requested during a turn comes after the rest of that turn', () => {
  const queue = queueOf(feed(1, 'a'), feed(2, 'b'));
  const first = queue.next();
  queue.add(snapshot(1));
  if (first) queue.putBack(first);
  expect(rest(queue)).toEqual(['2 b', '1 a', '1 snapshot']);
});

it('[SN8] a snapshot in the middle of its own turns stays before the next one of its screen', () => {
  const queue = queueOf(snapshot(1, 1), snapshot(1, 2), snapshot(2, 3));
  const first = queue.next();
  if (first) queue.putBack(first);
  const requests = [queue.next(), queue.next(), queue.next()].map(
    (each) => each && 'request' in each && each.request,
  );
  expect(requests).toEqual([3, 1, 2]);
});

it('[SN8] messages of a closed screen are removed', () => {
  const queue = queueOf(feed(1, 'a'), feed(2, 'b'), snapshot(1), feed(1, 'c'));
  expect(queue.has(1)).toBe(true);
  expect(queue.remove(1).map(reported)).toEqual(['1 a', '1 snapshot', '1 c']);
  expect(queue.has(1)).toBe(false);
  expect(rest(queue)).toEqual(['2 b']);
  expect(queue.has(2)).toBe(false);
});

it('the order is preserved for many messages', () => {
  const queue = new DrawingQueue();
  const order: string[] = [];
  for (let index = 0; index < 5000; index++) {
    queue.add(feed(1, `${index}`));
    queue.add(feed(2, `${index}`));
    order.push(reported(queue.next()) ?? '');
  }
  queue.add(snapshot(2));
  order.push(...rest(queue));
  expect(order).toHaveLength(10_001);
  for (const screen of [1, 2]) {
    const fed = order.filter((message) => message.startsWith(`${screen} `) && !message.endsWith('snapshot'));
    expect(fed).toEqual(Array.from({ length: 5000 }, (_, index) => `${screen} ${index}`));
  }
});
