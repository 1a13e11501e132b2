// POST /auth/exchange: the code of a printed link for a credential of the page's own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Identity } from '../auth/identity.ts';
import type { LinkCodes } from '../auth/link-codes.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { ExchangeResult } from '../protocol/console.ts';

const body = z.object({ code: z.string().max(200) });

/** A request body beyond this is not read. */
const MAX_BODY_BYTES = 4096;

export interface CodeExchangeOptions {
  readonly codes: LinkCodes;
  readonly tokens: Tokens;
  readonly tokenTtlMs: number;
}

/** Answers 200 with ExchangeResult; 400 for what is no exchange, 401 for a code that is used, old or made up. */
export async function exchangeCode(
  request: IncomingMessage,
  response: ServerResponse,
  {
    codes,
    tokens,
    tokenTtlMs,
    exchanged,
  }: CodeExchangeOptions & {
    /** Told who has come in. */
    readonly exchanged: (identity: Identity) => void;
  },
): Promise<void> {
  // After a body that was too long the rest of it is nobody's request.
  response.setHeader('connection', 'close');
  const text = await readBody(request);
  const parsed = text === null ? null : body.safeParse(parseJson(text));
  if (!parsed?.success) {
    response.writeHead(400).end('expected a JSON object with a string "code"');
    return;
  }
  if (!codes.redeem(parsed.data.code)) {
    response.writeHead(401).end('this link has been used or is too old');
    return;
  }
  const { token, identity } = tokens.create({ name: 'page', role: 'operator', ttlMs: tokenTtlMs });
  exchanged(identity);
  const result: ExchangeResult = { token, role: identity.role, expiresAtMs: identity.expiresAtMs ?? 0 };
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(result));
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving early must not destroy the request, or its answer would go nowhere.
  const body: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
