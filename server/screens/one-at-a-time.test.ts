// Tests that answers are shared, and never older than their question: rule SN6.
import { expect, it } from 'vitest';
import { OneAtATime } from './one-at-a-time.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns a `OneAtATime` and its started answers, which the test ends. */
function made() {
  const begun: { question: string; end: (answer: string) => void; fail: (error: Error) => void }[] = [];
  const answers = new OneAtATime(
    (question: string) =>
      new Promise<string>((resolve, reject) => begun.push({ question, end: resolve, fail: reject })),
  );
  return { begun, answers };
}

it('[SN6] answers are made one at a time, and the next is shared by all requests that arrived in that time', async () => {
  const { begun, answers } = made();
  const first = answers.ask('now');
  const later = [answers.ask('now'), answers.ask('now'), answers.ask('a while ago')];
  expect(begun.map(({ question }) => question)).toEqual(['now']);
  begun[0]?.end('1');
  expect(await first).toBe('1');
  await settled();
  expect(begun).toHaveLength(2);
  begun[1]?.end('2');
  await settled();
  expect(begun.map(({ question }) => question)).toEqual(['now', 'now', 'a while ago']);
  const last = answers.ask('a while ago');
  begun[2]?.end('3');
  expect(await Promise.all(later)).toEqual(['2', '2', '3']);
  await settled();
  begun[3]?.end('4');
  expect(await last).toBe('4');
  await settled();
  void answers.ask('now');
  expect(begun).toHaveLength(5);
});

it('[SN6] the next answer is made even after one has failed', async () => {
  const { begun, answers } = made();
  const first = answers.ask('now');
  const next = answers.ask('now');
  begun[0]?.fail(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await settled();
  begun[1]?.end('2');
  expect(await next).toBe('2');
});
