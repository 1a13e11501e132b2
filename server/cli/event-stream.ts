// Parses a stream of server-sent events; only their data is used.
import type { Readable } from 'node:stream';
import { Lines } from '../rpc/lines.ts';

/** Maximum length of a line, and of all data lines of an event, in bytes, so that neither can fill the memory. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Yields the data of each event, until the stream ends. Throws when the connection is lost or an event is too long. */
export async function* eventsOf(stream: Readable, mostBytes = MOST_BYTES): AsyncGenerator<string> {
  let data: string[] = [];
  let dataBytes = 0;
  const ready: string[] = [];
  const onTooLong = (): void => {
    stream.destroy(new Error('the gateway sent an event that is too long'));
  };
  const lines = new Lines(mostBytes, {
    onLine: (line) => {
      const text = line.toString('utf8').replace(/\r$/, '');
      if (text.startsWith('data:')) {
        dataBytes += line.length;
        if (dataBytes >= mostBytes) onTooLong();
        else data.push(text.slice(5).replace(/^ /, ''));
      }
      if (text !== '' || data.length === 0) return;
      ready.push(data.join('\n'));
      data = [];
      dataBytes = 0;
    },
    onTooLong,
  });
  for await (const chunk of stream) {
    lines.push(chunk as Buffer);
    yield* ready.splice(0);
  }
}
