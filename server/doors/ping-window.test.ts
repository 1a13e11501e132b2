// Bytes in flight to near and far, fast and slow peers: rules DE11 and DE13.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS as limits } from '../config.ts';
import { PingWindow } from './ping-window.ts';

const CHUNK = 43_000;
const { windowLeastBytes, windowMostBytes, windowSilenceMs, windowWayMs, windowDelayMs } = limits;

interface Way {
  bytesPerMs: number;
  /** Round-trip time without a queue. */
  ms: number;
}

/** A peer behind a network path on which bytes queue, and an endless flood for it. */
class Peer {
  readonly window: PingWindow;
  readonly way: Way;
  answers = true;
  floods = true;
  /** Bytes per ms sent in addition to the flood, even when the window is full. */
  otherBytesPerMs = 0;
  read = 0;
  #freeAtMs = 0;
  readonly pings: Buffer[] = [];

  constructor(way: Way) {
    this.way = way;
    this.window = new PingWindow(limits, {
      onPing: (payload) => this.#ping(payload),
      onOpen: () => this.flood(),
    });
    this.send(200);
  }

  send(bytes: number): void {
    this.#freeAtMs = Math.max(this.#freeAtMs, performance.now()) + bytes / this.way.bytesPerMs;
    this.#at(this.#freeAtMs, () => (this.read += bytes));
    this.window.sent(bytes);
  }

  /** Sends while there is room, up to a limit per call. */
  flood(): void {
    for (let chunk = 0; this.floods && chunk < 200 && !this.window.isFull; chunk += 1) this.send(CHUNK);
  }

  /** Time until the peer's reply to a ping that is sent now arrives. */
  get delayMs(): number {
    return Math.max(0, this.#freeAtMs - performance.now()) + this.way.ms;
  }

  #ping(payload: Buffer): void {
    this.pings.push(payload);
    if (this.answers) this.#at(performance.now() + this.delayMs, () => this.window.answered(payload));
  }

  #at(ms: number, act: () => void): void {
    setTimeout(act, ms - performance.now());
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the longest delay within `ms`, and the share of the path's capacity that was used. */
function run(peer: Peer, ms: number): { delayMs: number; share: number } {
  const before = peer.read;
  let delayMs = 0;
  for (let passed = 0; passed < ms; passed += 1) {
    if (peer.otherBytesPerMs > 0) peer.send(peer.otherBytesPerMs);
    vi.advanceTimersByTime(1);
    delayMs = Math.max(delayMs, peer.delayMs);
  }
  return { delayMs, share: (peer.read - before) / (ms * peer.way.bytesPerMs) };
}

describe('[DE11] A flood', () => {
  it.each([
    ['a near link of 12 MB/s', { bytesPerMs: 12_000, ms: 0.5 }],
    ['a link of 100 MB/s', { bytesPerMs: 100_000, ms: 1 }],
    ['a link of 12 MB/s, 100 ms away', { bytesPerMs: 12_000, ms: 100 }],
    ['a link of 2 MB/s, 30 ms away', { bytesPerMs: 2000, ms: 30 }],
  ])('fills %s, and hardly delays output that is sent next', (_, way) => {
    const peer = new Peer(way);
    peer.flood();
    run(peer, 3000);
    const { delayMs, share } = run(peer, 30_000);
    expect(share).toBeGreaterThan(0.95);
    const leastMs = (windowLeastBytes + 2 * CHUNK) / way.bytesPerMs;
    expect(delayMs - way.ms).toBeLessThan(Math.max(2 * (windowDelayMs + way.ms / 4), leastMs));
  });

  it('soon has the largest window on a path that is never full', () => {
    const peer = new Peer({ bytesPerMs: 1e6, ms: 0.2 });
    peer.flood();
    run(peer, 30);
    peer.answers = false;
    const { read } = peer;
    run(peer, 100);
    expect(peer.read - read).toBeGreaterThan(windowMostBytes * 0.9);
    expect(peer.read - read).toBeLessThan(2 * windowMostBytes);
    expect(peer.window.isFull).toBe(true);
  });

  it('causes few pings on a fast path when it is slow itself', () => {
    const peer = new Peer({ bytesPerMs: 1e6, ms: 0.2 });
    peer.floods = false;
    for (let passed = 0; passed < 2000; passed += 1) {
      if (passed === 1000) peer.pings.length = 0;
      peer.send(2 * CHUNK);
      vi.advanceTimersByTime(1);
    }
    expect(peer.pings.length).toBeLessThan(150);
  });

  it('is held back as soon as the path becomes slow, and fills it again when the path becomes longer', () => {
    const peer = new Peer({ bytesPerMs: 100_000, ms: 1 });
    peer.flood();
    run(peer, 1000);
    peer.way.bytesPerMs = 12_000;
    run(peer, 200);
    expect(run(peer, 1000).delayMs).toBeLessThan(3 * windowDelayMs);
    peer.way.ms = 60;
    run(peer, 2 * windowWayMs);
    expect(run(peer, 1000).share).toBeGreaterThan(0.95);
  });

  it('fills a path that has become longer, and keeps filling it, while other output is sent all the time', () => {
    const peer = new Peer({ bytesPerMs: 12_000, ms: 1 });
    peer.flood();
    run(peer, 1000);
    peer.way.ms = 60;
    peer.otherBytesPerMs = 10_000 / peer.way.ms;
    run(peer, 2 * windowWayMs + windowSilenceMs);
    const { delayMs, share } = run(peer, 3 * windowWayMs);
    expect(share).toBeGreaterThan(0.95);
    expect(delayMs - peer.way.ms).toBeLessThan(2 * (windowDelayMs + peer.way.ms / 4));
  }, 120_000);
});

describe('[DE13] A peer', () => {
  it('delays its output once when it answers no ping, and is then served as fast as its socket allows', () => {
    const peer = new Peer({ bytesPerMs: 12_000, ms: 1 });
    peer.answers = false;
    peer.flood();
    expect(run(peer, windowSilenceMs - 10).share).toBeLessThan(0.01);
    vi.advanceTimersByTime(20);
    expect(peer.window.isFull).toBe(false);
    for (let more = 0; more < 200; more += 1) peer.send(CHUNK);
    vi.advanceTimersByTime(10 * windowSilenceMs);
    expect(peer.window.isFull).toBe(false);
    expect(peer.pings.length).toBeLessThan(100);
  });

  it('is sent fewer pings than would make a client close its connection when it answers none', () => {
    const peer = new Peer({ bytesPerMs: 1000, ms: 1 });
    peer.answers = false;
    for (let megabyte = 0; megabyte < 100; megabyte += 1) peer.send(1_000_000);
    expect(peer.pings.length).toBeGreaterThan(1);
    expect(peer.pings.length).toBeLessThan(60 - 2);
  });

  it('has its window again once it answers, even if only the last ping', () => {
    const peer = new Peer({ bytesPerMs: 12_000, ms: 1 });
    peer.answers = false;
    peer.flood();
    run(peer, 2 * windowSilenceMs);
    peer.answers = true;
    peer.window.answered(peer.pings.at(-1)!);
    peer.flood();
    run(peer, 500);
    const { delayMs, share } = run(peer, 1000);
    expect(delayMs).toBeLessThan(3 * windowDelayMs);
    expect(share).toBeGreaterThan(0.95);
  });

  it('does not delay its output every time when it answers each ping late', () => {
    const peer = new Peer({ bytesPerMs: 12_000, ms: 1.5 * windowSilenceMs });
    peer.flood();
    run(peer, 10 * windowSilenceMs);
    expect(run(peer, 5 * windowSilenceMs).share).toBeGreaterThan(0.08);
  });

  it('gets no larger window by forged or repeated answers', () => {
    const peer = new Peer({ bytesPerMs: 1, ms: 1 });
    peer.flood();
    const [first] = peer.pings;
    const forged = Buffer.alloc(6, 0xff);
    for (const payload of [
      Buffer.alloc(0),
      Buffer.alloc(6),
      Buffer.alloc(125),
      forged,
      first!,
      first!,
      first!,
    ])
      peer.window.answered(payload);
    expect(peer.window.isFull).toBe(true);
    expect(peer.window.round).toBe(1);
  });

  it('leaves no timer when it disconnects', () => {
    const peer = new Peer({ bytesPerMs: 1, ms: 1 });
    peer.answers = false;
    peer.flood();
    const before = vi.getTimerCount();
    peer.window.close();
    expect(vi.getTimerCount()).toBe(before - 1);
  });
});
