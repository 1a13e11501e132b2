// Tests of when a terminal is drawn: not during a flood, but before a short burst is evicted.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventLog } from '../keeper/event-log.ts';
import { FlowControl } from '../keeper/flow-control.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { DrawingBudget } from './drawing-budget.ts';
import { HeldOutput } from './held-output.ts';
import type { ToScreens } from './messages.ts';
import { ScreenFollower } from './screen-follower.ts';
import { Evicted } from './evicted.ts';

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

function followerOf(
  itsLog: EventLog,
  send: (message: ToScreens) => void,
  { budget = new DrawingBudget(UNLIMITED), limits = LIMITS } = {},
): ScreenFollower {
  const held = new HeldOutput(LIMITS).share();
  const child = { pause: () => {}, resume: () => {} };
  const flow = new FlowControl({ pauseBytes: 1e6, resumeBytes: 1e6 }, itsLog, child);
  const process = { log: itsLog, hold: (seq, offset) => flow.hold(seq, offset) } as Partial<ProcessView>;
  return new ScreenFollower({
    id: 1,
    process: process as ProcessView,
    evicted: new Evicted(itsLog),
    isRedacted: false,
    limits,
    budget,
    held,
    send,
  });
}

let log: EventLog;
let follower: ScreenFollower;
let sent: ToScreens[];
beforeEach(() => {
  vi.useFakeTimers();
  log = new EventLog(LIMITS);
  sent = [];
  follower = followerOf(log, (message) => sent.push(message));
});
afterEach(() => {
  follower.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const print = (bytes: number): void => log.append('pty', Buffer.alloc(bytes, 'x'));
const fedBytes = (): number =>
  sent.reduce((sum, message) => sum + (message.kind === 'feed' ? message.bytes.length : 0), 0);
const kinds = (): Set<string> => new Set(sent.map(({ kind }) => kind));

it('[SN1] a burst is drawn completely as soon as it is over', () => {
  print(2900);
  expect(sent).toEqual([]);
  expect(log.firstOffset).toBe(0);
  vi.advanceTimersByTime(400);
  expect(fedBytes()).toBeGreaterThanOrEqual(2900 - LIMITS.retainedBytes / 4);
  expect(kinds()).toEqual(new Set(['open', 'feed']));
  expect(log.retainedBytes).toBeLessThanOrEqual(LIMITS.retainedBytes);
});

it('only the bytes that are to be drawn are sent to the thread', () => {
  for (let line = 0; line < 50; line += 1) {
    print(10);
    log.seal();
  }
  vi.advanceTimersByTime(400);
  const taken = sent.flatMap((message) => (message.kind === 'feed' ? [message.bytes.buffer.byteLength] : []));
  expect(taken.length).toBeGreaterThan(10);
  expect(Math.max(...taken)).toBe(10);
});

/** Resets all keyboard settings: kitty's flags, modifyOtherKeys, the format of function keys. */
const NO_KEYS = '\u001b[<99u\u001b[>m\u001b[>f';

it('[SN5] a flood is drawn only when it is over, after a gap', () => {
  for (let look = 0; look < 20; look += 1) {
    print(3100);
    vi.advanceTimersByTime(200);
  }
  expect(sent).toEqual([]);
  expect(log.retainedBytes).toBeLessThanOrEqual(LIMITS.retainedBytes);
  vi.advanceTimersByTime(200);
  expect(kinds()).toEqual(new Set(['open', 'gap', 'feed']));
});

it('[SN5] evicted output of a flood is not drawn, but its settings apply', () => {
  const states = (): string[] =>
    sent.flatMap((message) => (message.kind === 'gap' ? [Buffer.from(message.state).toString()] : []));
  log.append('pty', Buffer.from('\u001b[?1000h\u001b[?1049h\u001b[31m'));
  for (let look = 0; look < 20; look += 1) {
    print(3100);
    vi.advanceTimersByTime(200);
  }
  log.append('pty', Buffer.from('\u001b[?1049l'));
  expect(sent).toEqual([]);
  follower.draw();
  expect(states()).toEqual([`\u001b[?1000h\u001b[?1049h${NO_KEYS}\u001b[0;31m`]);
  for (let look = 0; look < 3; look += 1) print(3100);
  follower.draw();
  expect(states().at(-1)).toBe(`\u001b[?1000h\u001b[?1049l${NO_KEYS}\u001b[0m`);
});

it('[SN5] slow output is drawn as it arrives', () => {
  for (let look = 0; look < 50; look += 1) {
    print(200);
    vi.advanceTimersByTime(200);
  }
  expect(kinds()).toEqual(new Set(['open', 'feed']));
  expect(fedBytes()).toBeGreaterThanOrEqual(50 * 200 - LIMITS.retainedBytes / 2);
});

it('[SN5] slow output in many small pieces is drawn before it is evicted', () => {
  follower.stop();
  const limits = { ...LIMITS, retainedEvents: 100 };
  log = new EventLog(limits);
  follower = followerOf(log, (message) => sent.push(message), { limits });
  for (let look = 0; look < 500; look += 1) {
    print(1);
    log.seal();
    vi.advanceTimersByTime(200);
  }
  expect(log.firstSeq).toBeGreaterThan(400);
  follower.prepare(true);
  expect(kinds()).toEqual(new Set(['open', 'feed']));
  expect(fedBytes()).toBe(500);
});

it('[SN5] the size of the retained output is set before the earlier settings', () => {
  log.resized({ rows: 24, cols: 80 });
  log.append('pty', Buffer.from('\u001b[?1000h'));
  log.resized({ rows: 40, cols: 100 });
  log.append('pty', Buffer.from('\u001b[5;30r'));
  for (let look = 0; look < 3; look += 1) print(3100);
  follower.draw();
  expect(sent.slice(0, 3)).toEqual([
    { kind: 'open', screen: 1, size: { rows: 24, cols: 80 } },
    { kind: 'resize', screen: 1, size: { rows: 40, cols: 100 } },
    { kind: 'gap', screen: 1, state: Buffer.from(`\u001b[?1000h\u001b[5;30r${NO_KEYS}\u001b[0m`) },
  ]);
});

it('[SN3] the whole log has the size at its first output', () => {
  log.resized({ rows: 24, cols: 80 });
  follower.stop();
  follower = followerOf(log, (message) => sent.push(message));
  log.resized({ rows: 50, cols: 132 });
  print(10);
  expect(follower.wholeLog(null)?.size).toMatchObject({ rows: 50, cols: 132 });
});

it('[SN7] a follower that starts over begins at the retained output, and waits for bytes sent earlier', () => {
  follower.stop();
  const limits = { ...LIMITS, screenUndrawnBytes: 500 };
  follower = followerOf(log, (message) => sent.push(message), { limits });
  print(1000);
  follower.draw();
  expect(fedBytes()).toBe(500);
  follower.beginAgain();
  follower.draw();
  expect(fedBytes()).toBe(500);
  follower.fed(500);
  sent.length = 0;
  follower.draw();
  expect(sent.map(({ kind }) => kind)).toEqual(['feed', 'feed', 'feed', 'feed', 'feed']);
});

let drawnBytes = 0;
/** Reports the output fed so far as drawn, then the output that is fed in response, and so on. */
function drawAll(): void {
  for (let bytes = fedBytes() - drawnBytes; bytes > 0; bytes = fedBytes() - drawnBytes) {
    drawnBytes += bytes;
    follower.fed(bytes);
  }
}

it.each([
  ['a recent snapshot', () => follower.prepare(false)],
  ['a current snapshot', () => follower.prepare(true)],
  ['a look', () => follower.draw()],
])('[SN5] a flood is drawn only as far as %s needs', (_, ask) => {
  drawnBytes = 0;
  const floodOn = (looks: number): void => {
    for (let look = 0; look < looks; look += 1) {
      print(3100);
      vi.advanceTimersByTime(200);
      drawAll();
    }
  };
  floodOn(10);
  expect(fedBytes()).toBe(0);
  let before = 0;
  for (let second = 0; second < 3; second += 1) {
    ask();
    const asked = fedBytes();
    expect(asked).toBeGreaterThan(before);
    floodOn(5);
    expect(fedBytes()).toBe(asked);
    before = asked;
  }
});

it('[SN5] a burst is drawn completely after a flood that was viewed to its end', () => {
  drawnBytes = 0;
  for (let look = 0; look < 10; look += 1) {
    print(3100);
    follower.draw();
    drawAll();
    vi.advanceTimersByTime(200);
  }
  vi.advanceTimersByTime(1000);
  sent.length = 0;
  print(2900);
  vi.advanceTimersByTime(400);
  expect(kinds()).toEqual(new Set(['feed']));
  expect(fedBytes()).toBeGreaterThanOrEqual(2900 - LIMITS.retainedBytes / 4);
});

it('[SN5] repeated snapshots during a flood feed the screen no more than may wait to be drawn', () => {
  follower.stop();
  follower = followerOf(log, (message) => sent.push(message), {
    limits: { ...LIMITS, screenUndrawnBytes: 500 },
  });
  for (let request = 0; request < 20; request += 1) {
    for (let look = 0; look < 5; look += 1) {
      print(3100);
      vi.advanceTimersByTime(200);
    }
    follower.prepare(false);
  }
  expect(fedBytes()).toBeGreaterThanOrEqual(500);
  expect(fedBytes()).toBeLessThanOrEqual(500 + LIMITS.chunkBytes);
});

it('[SN5] many viewed floods share the drawing budget equally', () => {
  const budget = new DrawingBudget({ bytesPerSecond: 500, burstBytes: 500 });
  const floods = Array.from({ length: 4 }, () => {
    const flood = { log: new EventLog(LIMITS), fedBytes: 0 };
    const send = (message: ToScreens): void => {
      flood.fedBytes += message.kind === 'feed' ? message.bytes.length : 0;
    };
    return { ...flood, flood, follower: followerOf(flood.log, send, { budget }) };
  });
  for (let second = 0; second < 20; second += 1) {
    for (const { log: each } of floods) each.append('pty', Buffer.alloc(3100, 'x'));
    for (const each of floods) each.follower.draw();
    vi.advanceTimersByTime(1000);
  }
  for (const each of floods) each.follower.stop();
  budget.close();
  // Each flood gets about a quarter of the bytes that may be drawn in this time.
  for (const { flood } of floods) expect(flood.fedBytes).toBeGreaterThan(((20 * 500) / 4) * 0.7);
});

it('[SN1] a burst of a process that then ended is drawn completely, within the retained size', () => {
  print(2900);
  log.exited(0, false);
  log.closed();
  expect(fedBytes()).toBeGreaterThanOrEqual(2900 - LIMITS.retainedBytes / 4);
  expect(kinds()).toEqual(new Set(['open', 'feed']));
  expect(log.retainedBytes).toBeLessThanOrEqual(LIMITS.retainedBytes);
});
