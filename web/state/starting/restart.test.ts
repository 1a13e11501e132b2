// Restarting a running process: long work needs confirmation, the end is awaited, and one request starts one process.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { processInfo } from '../../../protocol/testing/process-info.ts';
import { agree, ladderStore, withdraw } from '../ending/climb.ts';
import { processStore } from '../processes/process-store.ts';
import { end, endAndStartAgain, isOver, mayBeEndedAndRestarted, restartAll, startAgain } from './restart.ts';

let info: ProcessInfo | undefined;
const listeners = new Set<() => void>();
const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
let cut: () => void = () => {};
const asked = vi.fn(() => Promise.resolve({ running: true }));
const restarted = vi.fn((_key: string) => new Promise<{ key: string }>(() => {}));
const client = {
  connection: {
    request: asked,
    onState: (listener: () => void) => {
      cut = listener;
      return () => listeners.delete(listener);
    },
  },
  processes: { get: () => info, onChanged: listen, restart: restarted },
} as unknown as ExecClient;

const become = (given: Partial<ProcessInfo> | null): void => {
  info = given === null ? undefined : processInfo(given);
  for (const listener of listeners) listener();
};

beforeEach(() => {
  vi.useFakeTimers();
  info = processInfo();
  asked.mockClear();
  restarted.mockClear();
});
afterEach(() => vi.useRealTimers());

it('end waits until everything in the process has ended', async () => {
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
  ['the connection is lost', () => cut(), 'connection was lost'],
  ['the process is forgotten', () => become(null), 'the process no longer exists'],
  ['the process does not end', () => vi.advanceTimersByTime(30_000), 'did not end'],
])('end is abandoned when %s', async (_, happen, why) => {
  const ending = expect(end(client, 'a')).rejects.toThrow(why);
  await vi.advanceTimersByTimeAsync(0);
  happen();
  await ending;
  expect(listeners.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

const terminals = { get: () => undefined, load: () => Promise.resolve() };
const parts = { client, terminals } as unknown as Parameters<typeof startAgain>[0];

/** Returns a process that has been running for `ageMs`. */
const running = (key: string, ageMs: number): ProcessInfo => {
  const started = processInfo({ key, tty: false, restartable: true, startedAtMs: Date.now() - ageMs });
  processStore.setState({ processes: { [key]: started } });
  info = started;
  return started;
};
const report = vi.fn();

it('a restart asks before it ends long work, and does nothing without a confirmation', async () => {
  const old = running('old', 60 * 60_000);
  endAndStartAgain(parts, old, 'list', report);
  expect(ladderStore.getState().question).toMatchObject({ step: 'terminate', keys: ['old'], place: 'list' });
  withdraw();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).not.toHaveBeenCalled();

  endAndStartAgain(parts, old, 'list', report);
  agree(parts, report);
  become({ ...old, state: 'closed' });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenCalledExactlyOnceWith('process/terminate', { key: 'old' });
  expect(restarted).toHaveBeenCalledTimes(1);
});

it('a restart that is requested twice ends and starts the process once', async () => {
  const young = running('young', 1000);
  endAndStartAgain(parts, young, 'list', report);
  endAndStartAgain(parts, young, 'list', report);
  become({ ...young, state: 'closed' });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(restarted).toHaveBeenCalledTimes(1);

  const over = processInfo({ key: 'over', tty: false, restartable: true, state: 'closed' });
  for (let click = 0; click < 2; click += 1) void startAgain(parts, over);
  expect(restarted).toHaveBeenCalledTimes(2);
});

it('a restart may be requested again after a refusal', async () => {
  running('refused', 1000);
  asked.mockRejectedValueOnce(new Error('no'));
  endAndStartAgain(parts, info ?? processInfo(), 'list', report);
  await vi.advanceTimersByTimeAsync(0);
  expect(report).toHaveBeenCalledExactlyOnceWith('No');
  endAndStartAgain(parts, info ?? processInfo(), 'list', report);
  expect(asked).toHaveBeenCalledTimes(2);
});

it('a lost process is restarted at once, and one that is still running only after its end', async () => {
  const lost = processInfo({ key: 'a', state: 'lost', restartable: true });
  const alive = { ...lost, stillRunning: true } as const;
  expect([isOver(lost), isOver(alive), mayBeEndedAndRestarted(alive)]).toEqual([true, false, true]);
  become(alive);
  let isDone = false;
  const ending = end(client, 'a').then(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(isDone).toBe(false);
  become(lost);
  await ending;
});

it('restartAll names each process that could not be restarted, and restarts the others', async () => {
  const infos = ['a', 'b', 'c'].map((key) => processInfo({ key, argv: [`run-${key}`], tty: false }));
  restarted.mockImplementation((key) =>
    key === 'b' ? Promise.resolve({ key }) : Promise.reject(new Error('the folder is missing')),
  );
  const parts = { client, terminals: { get: () => undefined, load: () => Promise.resolve() } };
  await expect(restartAll(parts, infos)).rejects.toThrow(
    '2 of 3 processes were not restarted: run-a (the folder is missing), run-c (the folder is missing).',
  );
});
