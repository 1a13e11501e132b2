// The queue of writes to a program that does not read: accepted immediately, or waiting for room.
import { expect, it } from 'vitest';
import type { WriteOutcome } from '../host/child.ts';
import { StdinFull } from './process-view.ts';
import { StdinQueue, type StdinQueueLimits } from './writes.ts';

const LIMITS: StdinQueueLimits = {
  stdinQueueBytes: 100,
  stdinQueueWrites: 8,
  stdinWaitingBytes: 50,
  stdinAllBytes: 1000,
  stdinFairBytes: 10,
};

/** Returns a program that reads only when `readOne` is called, and its queue. */
function reader(limits: Partial<StdinQueueLimits> = {}) {
  const unread: { bytes: Uint8Array; settle: (outcome: WriteOutcome) => void }[] = [];
  const got: string[] = [];
  let isClosed = false;
  const queue = new StdinQueue(
    {
      write: (bytes) => (isClosed ? 'closed' : new Promise((settle) => unread.push({ bytes, settle }))),
      closeStdin: () => unread.push({ bytes: Buffer.from('end'), settle: () => undefined }),
    },
    { ...LIMITS, ...limits },
  );
  return {
    queue,
    got,
    readOne: (): void => {
      const next = unread.shift();
      if (next) got.push(Buffer.from(next.bytes).toString());
      next?.settle('accepted');
    },
    close: (): void => {
      isClosed = true;
      for (const { settle } of unread.splice(0)) settle('closed');
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns true when the write is answered within two turns of the event loop. */
async function isAnswered(write: WriteOutcome | Promise<WriteOutcome>): Promise<boolean> {
  let answered = false;
  void Promise.resolve(write).then(() => (answered = true));
  await turn();
  await turn();
  return answered;
}

it('[PR2] StdinQueue accepts writes at once up to one of its limits, and answers the others in order', async () => {
  const { queue, got, readOne } = reader();
  for (const name of ['1', '2', '3', '4', '5', '6', '7', '8']) {
    expect(await isAnswered(queue.write(Buffer.from(name)))).toBe(true);
  }
  const ninth = queue.write(Buffer.from('9'));
  expect(await isAnswered(ninth)).toBe(false);
  const tenth = queue.write(Buffer.from('10'));
  readOne();
  expect(await ninth).toBe('accepted');
  expect(await isAnswered(tenth)).toBe(false);
  for (let each = 0; each < 9; each += 1) {
    readOne();
    await turn();
  }
  expect(await tenth).toBe('accepted');
  expect(got).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
});

it('[PR2] StdinQueue accepts a write that is larger than its limit while it is not full', async () => {
  const { queue } = reader();
  expect(await isAnswered(queue.write(Buffer.alloc(500)))).toBe(true);
  expect(await isAnswered(queue.write(Buffer.alloc(1)))).toBe(false);
});

it('[PR2] StdinQueue closes stdin after the writes that wait', async () => {
  const { queue, got, readOne } = reader({ stdinQueueWrites: 1 });
  void queue.write(Buffer.from('a'));
  void queue.write(Buffer.from('b'));
  queue.end();
  for (let each = 0; each < 3; each += 1) {
    readOne();
    await turn();
  }
  expect(got).toEqual(['a', 'b', 'end']);
});

it.each(['exited', 'close'] as const)(
  '[PR2] StdinQueue answers waiting writes with closed at the end: %s',
  async (how) => {
    const { queue, close } = reader({ stdinQueueWrites: 1 });
    expect(await queue.write(Buffer.from('a'))).toBe('accepted');
    const waiting = [queue.write(Buffer.alloc(30)), queue.write(Buffer.alloc(20))];
    expect(() => queue.write(Buffer.alloc(1))).toThrow(StdinFull);
    if (how === 'close') close();
    else queue.exited();
    expect(await Promise.all(waiting.map((each) => Promise.resolve(each)))).toEqual(['closed', 'closed']);
    // A write may have been sent before its sender was notified of the exit.
    expect(await isAnswered(queue.write(Buffer.from('late')))).toBe(true);
  },
);

it('[PR2] StdinQueue leaves each process a share when all queues together are full, and frees it again', async () => {
  const others = [1, 2].map(() => reader({ stdinQueueBytes: 500 }));
  for (const { queue } of others) expect(await isAnswered(queue.write(Buffer.alloc(600)))).toBe(true);
  const one = reader();
  expect(await isAnswered(one.queue.write(Buffer.alloc(10)))).toBe(true);
  const waiting = one.queue.write(Buffer.alloc(10));
  expect(await isAnswered(waiting)).toBe(false);
  for (const { close } of others) close();
  await turn();
  one.readOne();
  expect(await waiting).toBe('accepted');
  expect(await isAnswered(one.queue.write(Buffer.alloc(40)))).toBe(true);
  one.close();
});
