// Unread output is retained after a resume while the owner reads it.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CatchUp } from './catch-up.ts';
import { EventLog } from './event-log.ts';
import { FlowControl } from './flow-control.ts';
import type { ProcessView } from './process-view.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const TIMEOUT_MS = 5000;

function resumed() {
  const log = new EventLog({ retainedBytes: 100, retainedEvents: 100, chunkBytes: 10 });
  const child = { pause: vi.fn(), resume: vi.fn() };
  const flow = new FlowControl({ pauseBytes: 50, resumeBytes: 20 }, log, child);
  const print = (bytes: number): void => {
    log.append('stdout', Buffer.alloc(bytes));
    flow.check();
  };
  print(100);
  const hold: ProcessView['hold'] = (seq, offset) => flow.hold(seq, offset);
  return { log, child, print, catchUp: new CatchUp({ log, hold } as unknown as ProcessView, TIMEOUT_MS) };
}

it('CatchUp retains unread output for as long as the owner continues to read', () => {
  const { log, child, print, catchUp } = resumed();
  print(60);
  expect(child.pause).toHaveBeenCalledOnce();
  for (let seq = 1; seq <= 9; seq += 1) {
    vi.advanceTimersByTime(TIMEOUT_MS - 1);
    catchUp.hasRead(seq);
    expect(log.at(seq + 1)).toBeDefined();
    expect(child.resume).not.toHaveBeenCalled();
  }
  catchUp.hasRead(10);
  expect(child.resume).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

it('CatchUp ends when the owner reads nothing further', () => {
  const { log, child, print, catchUp } = resumed();
  print(60);
  catchUp.hasRead(3);
  vi.advanceTimersByTime(TIMEOUT_MS / 2);
  // A repeated read does not count as progress.
  catchUp.hasRead(3);
  vi.advanceTimersByTime(TIMEOUT_MS / 2 + 1);
  expect(child.resume).toHaveBeenCalledOnce();
  expect(log.at(4)).toBeUndefined();
});
