// Both ends of one WebSocket, with a transport but without a gateway behind it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { DEFAULT_LIMITS } from '../config.ts';
import type { Channel } from '../rpc/channel.ts';
import { WebSocketTransport } from '../doors/websocket.ts';

export interface WebSocketPair {
  readonly channel: Channel;
  readonly socket: Duplex;
  readonly peer: WebSocket;
  /** Resolves when the channel has closed. */
  readonly closed: Promise<void>;
  stop(): void;
}

/** Opens a pair; messages from the peer are dropped. With `autoPong` false the peer answers no pings. */
export async function openWebSocketPair(autoPong = true): Promise<WebSocketPair> {
  const transport = new WebSocketTransport(DEFAULT_LIMITS);
  const http = createServer();
  const accepted = new Promise<Omit<WebSocketPair, 'peer' | 'stop'>>((resolve) => {
    http.on('upgrade', (request, socket, head) => {
      const upgrade = { request, socket, head, subprotocol: null, from: 'test', messageBytes: 1000 };
      transport.accept(upgrade, (channel) => {
        const closed = new Promise<void>((onClose) => {
          const ignore = (): void => {};
          channel.listen({
            onMessage: ignore,
            onMalformed: ignore,
            onArriving: ignore,
            onDrain: ignore,
            onEnd: ignore,
            onClose,
          });
        });
        resolve({ channel, socket, closed });
      });
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const peer = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`, { autoPong });
  await once(peer, 'open');
  const stop = (): void => {
    peer.terminate();
    http.close();
  };
  return { ...(await accepted), peer, stop };
}
