// Re-evaluation of all waiting requests: rule AP8.
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Reconsidering } from './reconsidering.ts';
import type { Waiter, WaitingQueue } from './waiting.ts';

/** Creates waiting requests whose verdict takes 2 ms each; records their order, and who released them. */
function slowQueue(count: number): {
  readonly queue: WaitingQueue;
  readonly looked: number[];
  readonly by: Set<string>;
} {
  const looked: number[] = [];
  const by = new Set<string>();
  const waiters = Array.from({ length: count }, (_, at) => {
    const waiter = {
      approval: { state: 'waiting' },
      look: () => {
        looked.push(at);
        for (const endMs = performance.now() + 2; performance.now() < endMs;);
        return { verdict: { kind: 'run' }, why: {} };
      },
      settle: (outcome: { by?: string | null }) => {
        by.add(outcome.by ?? '');
        waiter.approval.state = 'accepted';
      },
    };
    return waiter as unknown as Waiter;
  });
  return { queue: { waiters } as unknown as WaitingQueue, looked, by };
}

it('[AP8] reconsidering evaluates all requests, and yields to other work between them', async () => {
  const { queue, looked } = slowQueue(50);
  new Reconsidering(queue).begin('Ada');
  await setImmediate();
  expect(looked.length).toBeLessThan(10);
  for (let turn = 0; turn < 50 && looked.length < 50; turn += 1) await setImmediate();
  expect(looked).toEqual(Array.from({ length: 50 }, (_, at) => at));
});

it('[AP8] reconsidering restarts for another change, and can be stopped', async () => {
  const { queue, looked, by } = slowQueue(50);
  const reconsidering = new Reconsidering(queue);
  reconsidering.begin('Ada');
  await setImmediate();
  const first = looked.length;
  reconsidering.begin('Ben');
  for (let turn = 0; turn < 50 && looked.length < 50; turn += 1) await setImmediate();
  // Requests released by Ada's change are no longer waiting.
  expect(looked).toHaveLength(50);
  expect(first).toBeGreaterThan(0);
  expect(by).toEqual(new Set(['Ada', 'Ben']));
  const other = slowQueue(50);
  const stopped = new Reconsidering(other.queue);
  stopped.begin('Ada');
  await setImmediate();
  stopped.stop();
  const before = other.looked.length;
  await setImmediate();
  await setImmediate();
  expect(other.looked).toHaveLength(before);
});
