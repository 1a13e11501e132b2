// POST /auth/exchange: exchanges the code of a sign-in link, or the secret of a share, for a credential for the page.
import { createPublicKey } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Identity } from '../../policy/identity.ts';
import type { Link, LinkCodes } from '../../policy/link-codes.ts';
import { Locked, onceUnlocked } from '../../policy/file-lock.ts';
import { makePage } from '../../policy/pages.ts';
import type { Shares } from '../../policy/shares.ts';
import { sha256 } from '../../policy/token-records.ts';
import { TokenEnded, TokensFull, type Tokens } from '../../policy/tokens.ts';
import type { ExchangeResult } from '../../../protocol/access.ts';
import type { Refused } from './refusals.ts';

const secret = z.string().max(200);
const body = z.union([
  z.strictObject({ code: secret, publicKey: z.string().max(200).refine(isPublicKey).optional() }),
  z.strictObject({ share: secret }),
]);

/** Maximum size of a request body, in bytes; the rest is not read. */
const MAX_BODY_BYTES = 4096;

export interface CodeExchangeOptions {
  readonly codes: LinkCodes;
  readonly tokens: Tokens;
  readonly shares: Shares;
  readonly tokenTtlMs: number;
  readonly isConnected: (tokenId: string) => boolean;
}

/**
 * Replies 200 with ExchangeResult; 400 for a malformed body, 413 for one that is too long, 401 for a code or share that
 * is used, expired, revoked or unknown, 429 for too many guests, pages or wrong attempts, 507 when the state cannot be
 * written.
 */
export async function exchangeCode(
  request: IncomingMessage,
  response: ServerResponse,
  options: CodeExchangeOptions & {
    readonly exchanged: (identity: Identity, link: Link | null) => void;
    readonly port: number;
    /** Counts a refusal, and returns the reply to send. */
    readonly refused: (refusal: Refused) => Refused;
  },
): Promise<void> {
  // The connection is closed, so that the rest of an oversized body is not read as another request.
  response.setHeader('connection', 'close');
  let text: string | null;
  try {
    text = await readBody(request);
  } catch {
    // The client has disconnected, so no reply can be sent.
    return;
  }
  if (text === null) {
    response.writeHead(413).end(`the body is longer than ${MAX_BODY_BYTES} bytes`);
    return;
  }
  const parsed = body.safeParse(parseJson(text));
  if (!parsed.success) {
    response.writeHead(400).end('expected a JSON object with a string "code" or "share"');
    return;
  }
  const made = await makeFrom(parsed.data, options);
  if ('reason' in made) {
    const { status, reason } = options.refused(made);
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(reason);
    return;
  }
  const { token, identity, link = null } = made;
  options.exchanged(identity, link);
  const { name, role, expiresAtMs } = identity;
  const hasKey = 'publicKey' in parsed.data && parsed.data.publicKey !== undefined;
  const credential = hasKey ? { gatewayKey: sha256(token).toString('base64url') } : { token };
  const result: ExchangeResult = { ...credential, name, role, expiresAtMs: expiresAtMs ?? 0 };
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(result));
}

type Made =
  | { readonly token: string; readonly identity: Identity; readonly link?: Link }
  | { readonly status: 401 | 429 | 507; readonly reason: string };

/** Creates the credential, or returns a refusal. The link stays valid when the state cannot be written (507). */
async function makeFrom(
  asked: z.infer<typeof body>,
  options: CodeExchangeOptions & { readonly port: number },
): Promise<Made> {
  try {
    return await onceUnlocked(() =>
      'code' in asked ? fromCode(asked, options) : fromShare(asked.share, options),
    );
  } catch (error) {
    if (error instanceof TokenEnded) return { status: 401, reason: error.message };
    if (error instanceof TokensFull) return { status: 429, reason: error.message };
    if (error instanceof Locked) return { status: 507, reason: error.message };
    if (
      !['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'].includes(
        String((error as NodeJS.ErrnoException).code),
      )
    )
      throw error;
    const reason = `the gateway cannot write to its state folder (${(error as Error).message}); once it can, the same link works`;
    return { status: 507, reason };
  }
}

function fromCode(
  { code, publicKey }: { readonly code: string; readonly publicKey?: string | undefined },
  { codes, tokens, tokenTtlMs, isConnected, port }: CodeExchangeOptions & { readonly port: number },
): Made {
  const link = codes.linkOf(code);
  if (!link) return { status: 401, reason: 'this link has expired or was already used' };
  const made = makePage(tokens, {
    welcome: link,
    ...(publicKey !== undefined && { page: { publicKey, port } }),
    ttlMs: tokenTtlMs,
    isConnected,
  });
  codes.redeem(code);
  return { ...made, link };
}

function fromShare(secret: string, { shares, isConnected }: CodeExchangeOptions): Made {
  const opened = shares.open(secret, isConnected);
  if (opened === 'ended') return { status: 401, reason: 'this share was revoked or has expired' };
  return opened === 'full'
    ? { status: 429, reason: 'this share already has its maximum number of guests; try again later' }
    : opened;
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Ending the iteration early must not destroy the request, or the reply would be lost.
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

/** Returns true for a P-256 key as SPKI in base64url, the kind that every browser can create. */
function isPublicKey(text: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
      key: Buffer.from(text, 'base64url'),
      format: 'der',
      type: 'spki',
    });
    return asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
