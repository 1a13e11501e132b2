// Parses a stream of server-sent events; only their data is used.
import type { Readable } from 'node:stream';
import { Lines } from '../rpc/lines.ts';

/** Maximum length of one line, in bytes, so that an endless line cannot fill the memory. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Yields the data of each event, until the stream ends. Throws when the connection is lost or a line is too long. */
export async function* eventsOf(stream: Readable): AsyncGenerator<string> {
  let data: string[] = [];
  const ready: string[] = [];
  const lines = new Lines(MOST_BYTES, {
    onLine: (line) => {
      const text = line.toString('utf8').replace(/\r$/, '');
      if (text.startsWith('data:')) data.push(text.slice(5).replace(/^ /, ''));
      if (text !== '' || data.length === 0) return;
      ready.push(data.join('\n'));
      data = [];
    },
    onTooLong: () => stream.destroy(new Error('the gateway sent an event that is too long')),
  });
  for await (const chunk of stream) {
    lines.push(chunk as Buffer);
    yield* ready.splice(0);
  }
}
