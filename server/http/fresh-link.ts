// POST /auth/link: a fresh single-use link to the page, for whoever may give one away.
import type { ServerResponse } from 'node:http';
import type { Identity } from '../auth/identity.ts';
import type { LinkCodes, LinkRole } from '../auth/link-codes.ts';
import type { LinkResult } from '../protocol/console.ts';

export interface FreshLinkOptions {
  readonly identity: Identity;
  /** Whom the link makes, as it was asked for; null = not said. */
  readonly role: string | null;
  /** Of the page; ends with a slash. */
  readonly base: string;
  readonly codes: LinkCodes;
  readonly codeTtlMs: number;
}

/** Nobody gives more than they have. */
const MAY_GIVE: { readonly [role in Identity['role']]: readonly LinkRole[] } = {
  agent: [],
  observer: [],
  operator: ['observer', 'operator'],
  admin: ['observer', 'operator', 'admin'],
};

/** Answers 200 with LinkResult; 403 for who may not make such a link. Whom it makes, when it was given. */
export function giveLink(response: ServerResponse, options: FreshLinkOptions): LinkRole | null {
  const { identity, base, codes, codeTtlMs } = options;
  const asked = options.role ?? 'operator';
  const role = MAY_GIVE[identity.role].find((each) => each === asked);
  if (!role) {
    response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`${identity.name} is ${identity.role}, and may not make a link for: ${asked.slice(0, 40)}`);
    return null;
  }
  const expiresAtMs = Date.now() + codeTtlMs;
  const result: LinkResult = { url: `${base}#code=${codes.create(role)}`, expiresAtMs };
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(result));
  return role;
}
