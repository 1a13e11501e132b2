// POST /auth/link: a fresh single-use link to the page, for whoever may give one away.
import type { ServerResponse } from 'node:http';
import type { Identity } from '../auth/identity.ts';
import type { LinkCodes } from '../auth/link-codes.ts';
import type { LinkResult } from '../protocol/console.ts';

export interface FreshLinkOptions {
  readonly identity: Identity;
  /** Of the page; ends with a slash. */
  readonly base: string;
  readonly codes: LinkCodes;
  readonly codeTtlMs: number;
}

/** Answers 200 with LinkResult; 403 for who is no operator, since the link makes one. True when it was given. */
export function giveLink(response: ServerResponse, options: FreshLinkOptions): boolean {
  const { identity, base, codes, codeTtlMs } = options;
  if (identity.role !== 'operator' && identity.role !== 'admin') {
    response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`a link makes an operator, and ${identity.name} is ${identity.role}`);
    return false;
  }
  const expiresAtMs = Date.now() + codeTtlMs;
  const result: LinkResult = { url: `${base}#code=${codes.create()}`, expiresAtMs };
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(result));
  return true;
}
