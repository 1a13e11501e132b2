// Tests of the result of fs/readFile as text: exact at every length, and created in slices.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonText } from '../../../protocol/json-text.ts';
import { readReply, replyOfFile, SLICE_BYTES } from './read-reply.ts';

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

it.each([SLICE_BYTES, SLICE_BYTES + 1, 3 * SLICE_BYTES - 1])(
  'replyOfFile of %d bytes is the JSON of their base64, also when the file has shrunk',
  async (length) => {
    const folder = mkdtempSync(join(tmpdir(), 'exec-console-test-'));
    const path = join(folder, 'file');
    const bytes = randomBytes(length);
    writeFileSync(path, bytes);
    const handle = await open(path);
    for (const size of [length, length + SLICE_BYTES]) {
      const reply = await replyOfFile(handle, size);
      const text = reply && textOf(reply);
      expect(text === `.${JSON.stringify({ dataBase64: bytes.toString('base64') })}.`).toBe(true);
      const { memory, at } = reply?.roomy ?? { memory: Buffer.alloc(0), at: 0 };
      expect(
        `.${Buffer.from(memory.subarray(at, at + (reply?.bytes ?? 0))).toString('latin1')}.` === text,
      ).toBe(true);
    }
    expect(await replyOfFile(handle, length - 1)).toBeNull();
    await handle.close();
    rmSync(folder, { recursive: true });
  },
);
