// Creates the token of a page that has opened a sign-in link; the token ends with that of the link's creator.
import type { Role } from '../../protocol/session.ts';
import type { Identity } from './identity.ts';
import type { Welcome } from './link-codes.ts';
import { makeRoom } from './given-room.ts';
import { identityOf, isPage, newSecret, type StoredRecord, type TokenRecord } from './token-records.ts';
import { checkRoom, TokenEnded, type Tokens } from './tokens.ts';

/**
 * Maximum number of pages from one creator's links, and from the links that these pages create; beyond it, the least
 * recently used one without a connection is removed.
 */
const MAX_PAGES = 200;

export interface NewPage {
  readonly welcome: Welcome;
  /** Public key and port of a page that has its own key. */
  readonly page?: TokenRecord['page'];
  readonly ttlMs: number;
  readonly isConnected: (tokenId: string) => boolean;
}

/**
 * Creates a page's token, which is shown only once. If the page has its own key, only that key admits it, and the token
 * grants no access. Throws TokenEnded when the creator's token has ended, and TokensFull when no room can be made.
 */
export function makePage(
  tokens: Tokens,
  { welcome: { role, name, giver }, page: key, ttlMs, isConnected }: NewPage,
): { readonly token: string; readonly identity: Identity } {
  const { secret, id, sha256 } = newSecret();
  const createdAtMs = Date.now();
  const unnamed: TokenRecord = {
    id,
    name: role,
    role,
    kind: 'page',
    sha256,
    createdAtMs,
    expiresAtMs: Math.min(createdAtMs + ttlMs, giver?.expiresAtMs ?? Number.POSITIVE_INFINITY),
    parent: giver?.tokenId ?? null,
    ...(key && { page: key }),
  };
  let page = unnamed;
  tokens.change((records) => {
    if (giver && !tokens.isGood(giver.tokenId, records))
      throw new TokenEnded('the person who created this link no longer has access');
    const remaining = makeRoom(records, unnamed, {
      tokens,
      isCounted: isPage,
      most: MAX_PAGES,
      isConnected,
      whyFull: `${MAX_PAGES} pages that signed in with such links are connected, which is the limit; close one first`,
    });
    checkRoom(remaining);
    page = { ...unnamed, name: name ?? freeName(remaining, role) };
    return [...remaining, page];
  });
  return { token: secret, identity: identityOf(page) };
}

/** Returns `operator`, `operator 2`, …, to distinguish people without a name. */
function freeName(records: readonly StoredRecord[], role: Role): string {
  const taken = new Set(records.map(({ name }) => name));
  let free: string = role;
  for (let number = 2; taken.has(free); number += 1) free = `${role} ${number}`;
  return free;
}
