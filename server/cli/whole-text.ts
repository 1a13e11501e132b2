// Reads the whole text of the gateway's reply within a limit, so that no reply can fill the memory.
import type { Readable } from 'node:stream';
import { bytesText } from '../../text/amounts.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';

/** Maximum size of a reply, in bytes; the same as of an event of a stream. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Resolves with the text. Throws CommandFailed, and closes the connection, when it is longer than `mostBytes`. */
export async function wholeText(reply: Readable, mostBytes = MOST_BYTES): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reply as AsyncIterable<Buffer | string>) {
    const part = Buffer.from(chunk as string);
    bytes += part.length;
    if (bytes > mostBytes)
      throw new CommandFailed(
        ExitCode.failed,
        `the gateway sent a reply of more than ${bytesText(mostBytes)}, so it was not read`,
      );
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}
