// Tests of the limit on a reply that is read whole.
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { wholeText } from './whole-text.ts';

const replyOf = (...chunks: readonly string[]): Readable =>
  Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

it('wholeText joins the chunks of a reply up to its limit', async () => {
  expect(await wholeText(replyOf('0123', '456789'), 10)).toBe('0123456789');
});

it('wholeText names its limit, and reads nothing beyond it', async () => {
  const reply = replyOf('0123', '4567890', 'unread');
  await expect(wholeText(reply, 10)).rejects.toThrow('a reply of more than 10 bytes');
  expect(reply.destroyed).toBe(true);
});
