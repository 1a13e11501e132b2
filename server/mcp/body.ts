// The body of a request, as JSON and within a limit.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beyond } from '../../protocol/json-extent.ts';
import { McpError, errorOf } from './messages.ts';

/** Bytes of one body: a command line and what is typed are far below. */
const MOST_BYTES = 1024 * 1024;

/** Far above what a call has: objects with many members take long to be made. */
const MOST = { levels: 64, values: 100_000, members: 10_000 };

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  /** Also for more values than any call has. */
  | { readonly kind: 'notJson' }
  /** Nothing more is to be done: the client is gone, or was refused. */
  | { readonly kind: 'over' };

export async function bodyOf(request: IncomingMessage, response: ServerResponse): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    const parts: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of parts) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    return { kind: 'over' };
  }
  if (bytes > MOST_BYTES) {
    // The rest is not read as another request.
    response.writeHead(413, { connection: 'close', 'content-type': 'application/json' });
    response.end(
      JSON.stringify(errorOf(null, McpError.invalidRequest, `a message has at most ${MOST_BYTES} bytes`)),
    );
    return { kind: 'over' };
  }
  try {
    const text = Buffer.concat(chunks).toString('utf8');
    if (beyond(text, MOST) !== null) return { kind: 'notJson' };
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'notJson' };
  }
}
