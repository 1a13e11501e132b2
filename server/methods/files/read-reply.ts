// The result of fs/readFile as text, created in slices, because creating a large one in one turn would delay
// all other clients.
import { setImmediate } from 'node:timers/promises';
import { JsonText } from '../../../protocol/json-text.ts';

/** Bytes of a file for each turn of the event loop; a multiple of 3 for whole groups of base64. */
const SLICE_BYTES = 3 * 256 * 1024;
const [BEGIN, END] = ['{"dataBase64":"', '"}'];

export async function readReply(bytes: Buffer): Promise<JsonText> {
  const text = Buffer.allocUnsafe(BEGIN.length + Math.ceil(bytes.length / 3) * 4 + END.length);
  let at = text.write(BEGIN, 'latin1');
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    if (from > 0) await setImmediate();
    at += text.write(bytes.toString('base64', from, from + SLICE_BYTES), at, 'latin1');
  }
  text.write(END, at, 'latin1');
  return new JsonText(text.length, (message, start) => message.set(text, start));
}
