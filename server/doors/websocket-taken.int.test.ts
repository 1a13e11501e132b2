// Release of a message's buffer: bytes written into it afterwards must not reach a peer.
import { afterEach, expect, it } from 'vitest';
import type { Channel } from '../rpc/channel.ts';
import { openWebSocketPair, type WebSocketPair } from '../testing/web-socket-pair.ts';

const MESSAGE_BYTES = 64 * 1024;
/** More messages than the kernel buffers for a peer that reads nothing. */
const MESSAGES = 400;

let pair: WebSocketPair;
afterEach(() => pair.stop());

/** Sends messages and overwrites each as soon as that is allowed; returns the overwritten ones. */
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

it('a sender is notified once per message, in order, when the kernel has accepted it', async () => {
  pair = await openWebSocketPair();
  const { channel, peer } = pair;
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

it('a sender is not notified of messages that a disconnected peer did not receive', async () => {
  pair = await openWebSocketPair();
  const { channel, peer, closed } = pair;
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
