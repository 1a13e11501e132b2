// What the code of a link is exchanged for: a token of the page's own, which ends with that of whoever gave the link.
import type { Identity } from './identity.ts';
import type { Welcome } from './link-codes.ts';
import { makeRoom } from './given-room.ts';
import { identityOf, isPage, newSecret, type StoredRecord, type TokenRecord } from './token-records.ts';
import { checkRoom, TokenEnded, type Tokens } from './tokens.ts';

/** That come of one giver's links, and of the links that these pages give: beyond, the one longest away makes room. */
const MAX_PAGES = 200;

const UNNAMED = 'page';

export interface NewPage {
  readonly welcome: Welcome;
  /** Of a page that keeps a key of its own. */
  readonly page?: TokenRecord['page'];
  readonly ttlMs: number;
  /** Whether a connection is open with this token. */
  readonly isConnected: (tokenId: string) => boolean;
}

/**
 * The result is the only time the token is seen; it lets in no page that has a key of its own. Throws TokenEnded when the
 * giver has none any more.
 */
export function makePage(
  tokens: Tokens,
  { welcome: { role, name, giver }, page: key, ttlMs, isConnected }: NewPage,
): { readonly token: string; readonly identity: Identity } {
  const { secret, id, sha256 } = newSecret();
  const createdAtMs = Date.now();
  const unnamed: TokenRecord = {
    id,
    name: UNNAMED,
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
      throw new TokenEnded('whoever gave this link may not come in any more');
    const kept = makeRoom(records, unnamed, {
      tokens,
      isCounted: isPage,
      most: MAX_PAGES,
      isConnected,
      whyFull: `${MAX_PAGES} pages have come by such links, and all are there`,
    });
    checkRoom(kept);
    page = { ...unnamed, name: name ?? freeName(kept) };
    return [...kept, page];
  });
  return { token: secret, identity: identityOf(page) };
}

/** `page`, `page 2`, …: whoever comes without a name is told apart from others who did. */
function freeName(records: readonly StoredRecord[]): string {
  const taken = new Set(records.map(({ name }) => name));
  let free = UNNAMED;
  for (let number = 2; taken.has(free); number += 1) free = `${UNNAMED} ${number}`;
  return free;
}
