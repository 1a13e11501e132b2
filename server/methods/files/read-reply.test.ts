// Tests of the result of fs/readFile as text: exact at every length, and created in slices.
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { JsonText } from '../../../protocol/json-text.ts';
import { readReply } from './read-reply.ts';

const SLICE_BYTES = 3 * 256 * 1024;

function textOf(result: JsonText): string {
  const message = Buffer.alloc(result.bytes + 2, '.');
  result.write(message, 1);
  return message.toString('latin1');
}

it.each([0, 1, 2, 3, 4, SLICE_BYTES - 1, SLICE_BYTES, SLICE_BYTES + 1, 2 * SLICE_BYTES + 2])(
  'readReply of %d bytes is the JSON of their base64',
  async (length) => {
    const bytes = randomBytes(length);
    const text = textOf(await readReply(bytes));
    expect(text === `.${JSON.stringify({ dataBase64: bytes.toString('base64') })}.`).toBe(true);
  },
);

it('readReply lets other work run between slices', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  await readReply(Buffer.alloc(20 * SLICE_BYTES));
  clearImmediate(immediate);
  expect(turns).toBeGreaterThanOrEqual(18);
});
