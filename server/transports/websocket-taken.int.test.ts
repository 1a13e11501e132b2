// When a message's buffer is nobody's any more: what is written into it then must not be what a peer reads.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { DEFAULT_LIMITS as limits } from '../config.ts';
import type { Channel } from '../rpc/channel.ts';
import { WebSocketTransport } from './websocket.ts';

const MESSAGE_BYTES = 64 * 1024;
/** More than the kernel takes for a peer that reads nothing. */
const MESSAGES = 400;

const undo: (() => void)[] = [];
afterEach(() => {
  for (const each of undo.splice(0).reverse()) each();
});

async function connect(): Promise<{ channel: Channel; peer: WebSocket; closed: Promise<void> }> {
  const transport = new WebSocketTransport(limits);
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  let closed = Promise.resolve();
  const accepted = new Promise<Channel>((resolve) => {
    http.on('upgrade', (request, socket, head) => {
      transport.accept(
        { request, socket, head, subprotocol: null, from: 'test', messageBytes: 1000 },
        (channel) => {
          closed = new Promise((onClose) => {
            channel.listen({
              onMessage: () => {},
              onMalformed: () => {},
              onArriving: () => {},
              onDrain: () => {},
              onEnd: () => {},
              onClose,
            });
          });
          resolve(channel);
        },
      );
    });
  });
  const peer = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  undo.push(
    () => http.close(),
    () => peer.terminate(),
  );
  await once(peer, 'open');
  return { channel: await accepted, peer, closed };
}

/** Each overwritten as soon as that is allowed; says which have been. */
function sendAll(channel: Channel): number[] {
  const taken: number[] = [];
  for (let index = 0; index < MESSAGES; index += 1) {
    const message = Buffer.alloc(MESSAGE_BYTES, String.fromCodePoint(0x41 + (index % 26)));
    channel.send(message, () => {
      message.fill('!');
      taken.push(index);
    });
  }
  return taken;
}

it('is told once of each, in order, and no earlier than the kernel has it', async () => {
  const { channel, peer } = await connect();
  peer.pause();
  const taken = sendAll(channel);
  await new Promise((resolve) => setImmediate(resolve));
  expect(taken.length).toBeLessThan(MESSAGES);

  let received = 0;
  const all = new Promise<void>((resolve) => {
    peer.on('message', (message: Buffer) => {
      const letter = String.fromCodePoint(0x41 + (received % 26));
      expect(message.equals(Buffer.alloc(MESSAGE_BYTES, letter))).toBe(true);
      received += 1;
      if (received === MESSAGES) resolve();
    });
  });
  peer.resume();
  await all;
  expect(taken).toEqual(Array.from({ length: MESSAGES }, (_, index) => index));
});

it('is not told of what a peer that has gone did not take', async () => {
  const { channel, peer, closed } = await connect();
  peer.pause();
  const taken = sendAll(channel);
  peer.terminate();
  await closed;
  const count = taken.length;
  expect(count).toBeLessThan(MESSAGES);
  channel.send(Buffer.from('late'), () => taken.push(-1));
  await new Promise((resolve) => setImmediate(resolve));
  expect(taken.length).toBe(count);
});
