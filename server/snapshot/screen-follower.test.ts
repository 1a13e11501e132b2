// When a terminal is drawn: not while it floods, and before anything of a short burst is trimmed.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventLog } from '../process/event-log.ts';
import type { Process } from '../process/process.ts';
import { DrawingBudget } from './drawing-budget.ts';
import { HeldOutput } from './held-output.ts';
import type { ToScreens } from './messages.ts';
import { ScreenFollower } from './screen-follower.ts';

const LIMITS = {
  retainedBytes: 1000,
  retainedEvents: 1000,
  chunkBytes: 100,
  screenUndrawnBytes: 10_000,
  screenLookMs: 200,
  screenBytesPerSecond: 1000,
  screenBurstBytes: 10_000,
  screenHeldBytes: 2000,
  screensHeldBytes: 10_000,
};
const UNLIMITED = { bytesPerSecond: 1e9, burstBytes: 1e9 };

let log: EventLog;
let follower: ScreenFollower;
let said: ToScreens[];
beforeEach(() => {
  vi.useFakeTimers();
  log = new EventLog(LIMITS);
  said = [];
  follower = new ScreenFollower({
    id: 1,
    process: { log } as Process,
    limits: LIMITS,
    budget: new DrawingBudget(UNLIMITED),
    held: new HeldOutput(LIMITS).share(),
    say: (message) => said.push(message),
  });
});
afterEach(() => {
  follower.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const print = (bytes: number): void => log.append('pty', Buffer.alloc(bytes, 'x'));
const fedBytes = (): number =>
  said.reduce((sum, message) => sum + (message.kind === 'feed' ? message.bytes.length : 0), 0);
const kinds = (): Set<string> => new Set(said.map(({ kind }) => kind));

it('[SN1] draws all of what was printed at once, as soon as that is over', () => {
  print(2900);
  expect(said).toEqual([]);
  expect(log.firstOffset).toBe(0);
  vi.advanceTimersByTime(400);
  expect(fedBytes()).toBeGreaterThanOrEqual(2900 - LIMITS.retainedBytes / 4);
  expect(kinds()).toEqual(new Set(['open', 'feed']));
  expect(log.retainedBytes).toBeLessThanOrEqual(LIMITS.retainedBytes);
});

it('[SN5] draws nothing of a flood before it is over, and then says what was missed', () => {
  for (let look = 0; look < 20; look += 1) {
    print(3100);
    vi.advanceTimersByTime(200);
  }
  expect(said).toEqual([]);
  expect(log.retainedBytes).toBeLessThanOrEqual(LIMITS.retainedBytes);
  vi.advanceTimersByTime(200);
  expect(kinds()).toEqual(new Set(['open', 'gap', 'feed']));
});

it('[SN5] draws what comes slowly as it comes', () => {
  for (let look = 0; look < 50; look += 1) {
    print(200);
    vi.advanceTimersByTime(200);
  }
  expect(kinds()).toEqual(new Set(['open', 'feed']));
  expect(fedBytes()).toBeGreaterThanOrEqual(50 * 200 - LIMITS.retainedBytes / 2);
});

it('[SN1] has all of what was printed at once by one that then ended, and keeps no more than any other', () => {
  print(2900);
  log.exited(0, false);
  log.closed();
  expect(fedBytes()).toBeGreaterThanOrEqual(2900 - LIMITS.retainedBytes / 4);
  expect(kinds()).toEqual(new Set(['open', 'feed']));
  expect(log.retainedBytes).toBeLessThanOrEqual(LIMITS.retainedBytes);
});
