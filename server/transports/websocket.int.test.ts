// Who is taken for dead, and who is not because it was the gateway that stood still: rules DE14 and SE8.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { DEFAULT_LIMITS as limits } from '../config.ts';
import { WebSocketTransport } from './websocket.ts';

const { pingMs, silentMs } = limits;
const HOUR_MS = 3_600_000;

let nowMs = 0;
let http: Server;
let peer: WebSocket;
/** The gateway's end of it. */
let socket: Duplex;
beforeEach(() => {
  nowMs = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  peer.terminate();
  http.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function connect(autoPong: boolean): Promise<void> {
  const transport = new WebSocketTransport(limits);
  http = createServer();
  http.on('upgrade', (request, end, head) => {
    socket = end;
    transport.accept(
      { request, socket, head, subprotocol: null, from: 'test', messageBytes: 1000 },
      (channel) =>
        channel.listen({
          onMessage: () => {},
          onMalformed: () => {},
          onArriving: () => {},
          onDrain: () => {},
          onEnd: () => {},
          onClose: () => {},
        }),
    );
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  peer = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`, { autoPong });
  await once(peer, 'open');
}

/** The next heartbeat, after so long; nothing that comes meanwhile is read before it. Whether the peer still counts. */
function beat(afterMs = pingMs): boolean {
  nowMs += afterMs;
  vi.advanceTimersByTime(pingMs);
  return !socket.destroyed;
}

describe('[DE14] a peer', () => {
  it('of which nothing comes is taken for dead', async () => {
    await connect(false);
    for (let silent = pingMs; silent <= silentMs; silent += pingMs) expect(beat()).toBe(true);
    expect(beat()).toBe(false);
  });

  it('that only says unasked that it is there is kept', async () => {
    await connect(true);
    peer.pause();
    for (let beats = 0; beats < 20; beats += 1) {
      peer.pong();
      await once(socket, 'data');
      expect(beat()).toBe(true);
    }
  });
});

describe('[SE8] after the gateway has stood still, a peer', () => {
  it('is kept, whose answer nobody has read and who was not asked meanwhile', async () => {
    await connect(true);
    for (let times = 0; times < 3; times += 1) {
      expect(beat()).toBe(true);
      await once(socket, 'data');
      expect(beat()).toBe(true);
      expect(beat(HOUR_MS)).toBe(true);
      await once(socket, 'data');
    }
  });

  it('that does not answer now is taken for dead', async () => {
    await connect(false);
    expect(beat(HOUR_MS)).toBe(true);
    for (let silent = 2 * pingMs; silent <= silentMs; silent += pingMs) expect(beat()).toBe(true);
    expect(beat()).toBe(false);
  });
});
