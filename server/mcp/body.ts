// The body of a request, as JSON and within a limit.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpError, errorOf } from './messages.ts';

/** Bytes of one body: a command line and what is typed are far below. */
const MOST_BYTES = 1024 * 1024;

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
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
    return { kind: 'json', value: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown };
  } catch {
    return { kind: 'notJson' };
  }
}
