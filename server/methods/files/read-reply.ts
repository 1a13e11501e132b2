// Creates the result of fs/readFile as text, in slices, because creating a large one in one turn would delay
// all other clients.
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { JsonText } from '../../../protocol/json-text.ts';

/** Bytes of a file for each turn of the event loop; a multiple of 3 for whole groups of base64. */
export const SLICE_BYTES = 3 * 256 * 1024;
const [BEGIN, END] = ['{"dataBase64":"', '"}'];
/** Room on each side for the rest of the message, if its id has a usual length. */
const ROOM_BYTES = 256;

export async function readReply(bytes: Buffer): Promise<JsonText> {
  const reply = new Reply(bytes.length);
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    if (from > 0) await setImmediate();
    reply.add(bytes.subarray(from, from + SLICE_BYTES));
  }
  return reply.end();
}

/**
 * Reads an open file straight into a reply, so that a large one is in memory only once. Returns null when the
 * file has grown during the read.
 */
export async function replyOfFile(handle: FileHandle, size: number): Promise<JsonText | null> {
  const reply = new Reply(size);
  const slice = Buffer.allocUnsafe(SLICE_BYTES);
  for (let total = 0; ;) {
    const length = await readFully(handle, slice, total);
    total += length;
    if (total > size) return null;
    reply.add(slice.subarray(0, length));
    if (length < slice.length) return reply.end();
  }
}

/** Fills `slice` from this offset of the file; returns the number of bytes, which is smaller only at the file's end. */
async function readFully(handle: FileHandle, slice: Buffer, from: number): Promise<number> {
  let length = 0;
  while (length < slice.length) {
    const { bytesRead } = await handle.read(slice, length, slice.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** A reply that grows by whole groups of base64. */
class Reply {
  readonly #memory: Buffer;
  #end: number;

  constructor(mostBytes: number) {
    const text = BEGIN.length + Math.ceil(mostBytes / 3) * 4 + END.length;
    this.#memory = Buffer.allocUnsafe(ROOM_BYTES + text + ROOM_BYTES);
    this.#end = ROOM_BYTES + this.#memory.write(BEGIN, ROOM_BYTES, 'latin1');
  }

  add(bytes: Buffer): void {
    this.#end += this.#memory.write(bytes.toString('base64'), this.#end, 'latin1');
  }

  end(): JsonText {
    this.#end += this.#memory.write(END, this.#end, 'latin1');
    const text = this.#memory.subarray(ROOM_BYTES, this.#end);
    return new JsonText(text.length, (message, at) => message.set(text, at), {
      memory: this.#memory,
      at: ROOM_BYTES,
    });
  }
}
