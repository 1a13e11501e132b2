// Tokens that operators create for agents; they end with the operator's own token.
import type { Identity } from './identity.ts';
import { makeRoom } from './given-room.ts';
import { identityOf, newSecret, type TokenRecord } from './token-records.ts';
import { checkRoom, TokenEnded, type Tokens } from './tokens.ts';

/**
 * Maximum number of agents' tokens that descend from one token; beyond it, the least recently used one without a
 * connection is removed.
 */
const MAX_AGENTS = 20;

export interface NewAgentToken {
  readonly name: string;
  /** Lifetime in ms; null means until the creator's token expires, which also limits any other lifetime. */
  readonly ttlMs: number | null;
  readonly giver: Pick<Identity, 'tokenId' | 'expiresAtMs'>;
  readonly isConnected: (tokenId: string) => boolean;
}

/**
 * Creates a token, which is shown only once. Throws TokenEnded when the creator's is invalid, and TokensFull when no
 * room can be made.
 */
export function makeAgentToken(
  tokens: Tokens,
  { name, ttlMs, giver, isConnected }: NewAgentToken,
): { readonly token: string; readonly identity: Identity } {
  const { secret, id, sha256 } = newSecret();
  const createdAtMs = Date.now();
  const ends = Math.min(
    ttlMs === null ? Number.POSITIVE_INFINITY : createdAtMs + ttlMs,
    giver.expiresAtMs ?? Number.POSITIVE_INFINITY,
  );
  const added: TokenRecord = {
    id,
    name,
    role: 'agent',
    kind: 'token',
    sha256,
    createdAtMs,
    expiresAtMs: Number.isFinite(ends) ? ends : null,
    parent: giver.tokenId,
  };
  tokens.change((records) => {
    if (!tokens.isGood(giver.tokenId, records)) throw new TokenEnded('your token is no longer valid');
    const remaining = makeRoom(records, added, {
      tokens,
      isCounted: ({ kind, parent }) => kind === 'token' && parent !== null,
      most: MAX_AGENTS,
      isConnected,
      whyFull: `${MAX_AGENTS} agents with tokens that you created are connected, which is the limit; disconnect one first`,
    });
    checkRoom(remaining);
    return [...remaining, added];
  });
  return { token: secret, identity: identityOf(added) };
}
