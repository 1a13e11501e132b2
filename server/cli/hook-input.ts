// Reads the event that an agent writes to its hook, with limits: an agent ignores a hook that runs out of memory or
// time, whereas a hook that stops at a limit can still refuse the tool call.
import type { Readable } from 'node:stream';
import { bytesText } from '../../text/amounts.ts';

/** Maximum size of an event, which includes the whole content that a tool call would write to a file. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Time limit for the whole event, which agents write at once; shorter than the agents' timeouts for a hook. */
const EVENT_MS = 10_000;

/** Resolves with the parsed event. Rejects when it is too long, does not end within `timeMs`, or is not JSON. */
export async function readHookInput(input: Readable, timeMs = EVENT_MS): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => {
    input.destroy(new Error(`the event did not end within ${timeMs / 1000} s`));
  }, timeMs);
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new Error(`the event is larger than ${bytesText(MOST_BYTES)}`);
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}
