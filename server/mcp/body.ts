// Reads the body of a request as JSON, within a limit.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beyond } from '../../protocol/json-extent.ts';
import { bytesText } from '../../text/amounts.ts';
import { isProvedBody } from '../policy/admission.ts';
import { McpError, errorOf } from './messages.ts';

/** Maximum size of a body, far above that of a usual command line or typed input. */
const MOST_BYTES = 1024 * 1024;

/** Limits far above what any call needs, since objects with many members take long to create. */
const MOST = { levels: 64, values: 100_000, members: 10_000 };

export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  /** A body that is not JSON, or exceeds `MOST`. */
  | { readonly kind: 'notJson' }
  /** A body other than the one that the request's proof covers. */
  | { readonly kind: 'notProved' }
  /** The client has disconnected, or has already received an error. */
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
    // Closing the connection prevents the rest of the body from being parsed as another request.
    response.writeHead(413, { connection: 'close', 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        errorOf(null, McpError.invalidRequest, `the message is longer than ${bytesText(MOST_BYTES)}`),
      ),
    );
    return { kind: 'over' };
  }
  const whole = Buffer.concat(chunks);
  if (!isProvedBody(request.headers, whole)) return { kind: 'notProved' };
  try {
    const text = whole.toString('utf8');
    if (beyond(text, MOST) !== null) return { kind: 'notJson' };
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'notJson' };
  }
}
