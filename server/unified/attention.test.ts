// Tests of how long a call waits for output after the exit, with a process whose last output arrives late.
import { expect, it, vi } from 'vitest';
import { Attention } from './attention.ts';
import type { Held } from './held.ts';

/**
 * Delay of the last output: longer than the pause after which output that another process holds open counts
 * as complete.
 */
const LATE_MS = 500;

/** An exited process whose output ends after `LATE_MS`. */
class LateProcess {
  isClosed = false;
  receivedBytes = 0;
  readonly view: unknown;

  constructor(isOutputHeld: boolean) {
    const log = { totalBytes: 0 };
    this.view = { isLost: false, termination: null, remains: { isOutputHeld }, log };
    setTimeout(() => {
      this.receivedBytes = log.totalBytes = 10;
      this.isClosed = true;
    }, LATE_MS);
  }

  async until(isDue: () => boolean, ms: number): Promise<void> {
    for (let left = ms; left > 0 && !isDue(); left -= 10)
      await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function receivedFrom(isOutputHeld: boolean, budgetMs: number): Promise<number> {
  vi.useFakeTimers();
  try {
    const call = { callId: null, cwd: null, budgetMs, signal: new AbortController().signal };
    const late = new LateProcess(isOutputHeld);
    const complete = new Attention(call, call.signal, () => undefined)
      .untilComplete(late as unknown as Held)
      .then(() => late.receivedBytes);
    await vi.advanceTimersByTimeAsync(2 * LATE_MS);
    return await complete;
  } finally {
    vi.useRealTimers();
  }
}

it('[UE1] waits for the last output of an exited process, however late it arrives', async () => {
  expect(await receivedFrom(false, 10_000)).toBe(10);
});

it('does not wait for output that a process in the background holds open', async () => {
  expect(await receivedFrom(true, 10_000)).toBe(0);
});

it('[UE4] waits for the last output no longer than the budget', async () => {
  expect(await receivedFrom(false, LATE_MS / 2)).toBe(0);
});
