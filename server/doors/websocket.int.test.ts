// Peers that count as dead, and those that do not because the gateway itself was suspended: rules DE14 and SE8.
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS as limits } from '../config.ts';
import { openWebSocketPair, type WebSocketPair } from '../testing/web-socket-pair.ts';

const { pingMs, silentMs } = limits;
const HOUR_MS = 3_600_000;

let nowMs = 0;
let pair: WebSocketPair;
beforeEach(() => {
  nowMs = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  pair.stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/**
 * Runs the next heartbeat, after `afterMs`; messages that arrive in between are read after it. Returns true
 * when the peer still counts as alive.
 */
function beat(afterMs = pingMs): boolean {
  nowMs += afterMs;
  vi.advanceTimersByTime(pingMs);
  return !pair.socket.destroyed;
}

describe('[DE14] A peer', () => {
  it('counts as dead when it sends nothing', async () => {
    pair = await openWebSocketPair(false);
    for (let silent = pingMs; silent <= silentMs; silent += pingMs) expect(beat()).toBe(true);
    expect(beat()).toBe(false);
  });

  it('stays open when it sends only unsolicited pongs', async () => {
    pair = await openWebSocketPair();
    pair.peer.pause();
    for (let beats = 0; beats < 20; beats += 1) {
      pair.peer.pong();
      await once(pair.socket, 'data');
      expect(beat()).toBe(true);
    }
  });
});

describe('[SE8] A peer after the gateway was suspended', () => {
  it('stays open although its reply is unread and it was sent no ping', async () => {
    pair = await openWebSocketPair();
    for (let times = 0; times < 3; times += 1) {
      expect(beat()).toBe(true);
      await once(pair.socket, 'data');
      expect(beat()).toBe(true);
      expect(beat(HOUR_MS)).toBe(true);
      await once(pair.socket, 'data');
    }
  });

  it('counts as dead when it still does not reply', async () => {
    pair = await openWebSocketPair(false);
    expect(beat(HOUR_MS)).toBe(true);
    for (let silent = 2 * pingMs; silent <= silentMs; silent += pingMs) expect(beat()).toBe(true);
    expect(beat()).toBe(false);
  });
});
