// Ending something to start it again: it waits for the end, and gives up when that cannot be seen.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import type { ExecClient } from '../client/exec-client.ts';
import { processInfo } from '../testing/process-info.ts';
import { end } from './restart.ts';

let info: ProcessInfo | undefined;
const listeners = new Set<() => void>();
const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
let cut: () => void = () => {};
const asked = vi.fn(() => Promise.resolve({ running: true }));
const client = {
  connection: {
    request: asked,
    onState: (listener: () => void) => {
      cut = listener;
      return () => listeners.delete(listener);
    },
  },
  processes: { get: () => info, onChanged: listen },
} as unknown as ExecClient;

const become = (given: Partial<ProcessInfo> | null): void => {
  info = given === null ? undefined : processInfo(given);
  for (const listener of listeners) listener();
};

beforeEach(() => {
  vi.useFakeTimers();
  info = processInfo();
});
afterEach(() => vi.useRealTimers());

it('waits until all of it has ended', async () => {
  let isDone = false;
  const ending = end(client, 'a').then(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenCalledWith('process/terminate', { key: 'a' });
  become({ terminatingSinceMs: 1 });
  become({ state: 'exited', exitCode: 0, terminatingSinceMs: 1 });
  await vi.advanceTimersByTimeAsync(0);
  expect(isDone).toBe(false);
  become({ state: 'exited', exitCode: 0, allEndedAtMs: 2 });
  await ending;
  expect(listeners.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['the connection goes', () => cut(), 'connection was lost'],
  ['it is forgotten', () => become(null), 'not known any more'],
  ['it does not end', () => vi.advanceTimersByTime(30_000), 'does not end'],
])('gives up when %s', async (_, happen, why) => {
  const ending = expect(end(client, 'a')).rejects.toThrow(why);
  await vi.advanceTimersByTimeAsync(0);
  happen();
  await ending;
  expect(listeners.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
