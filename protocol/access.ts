// Who may come in, as the console manages it: tokens, and links that show something to somebody. Ours on the wire.
import { z } from 'zod';
import { ROLES } from './console-constants.ts';
import { count, name } from './scalars.ts';
import type { Role } from './session.ts';

const HOUR_MS = 60 * 60 * 1000;

/** How long a share lasts when nobody says, and at the most. */
export const SHARE_TTL_MS = { default: HOUR_MS, max: 7 * 24 * HOUR_MS } as const;

/** Longer than anybody plans for. */
const LONGEST_TTL_MS = 10 * 365 * 24 * HOUR_MS;

export const createTokenParams = z.object({
  name,
  role: z.enum(ROLES),
  /** ms from now; null = never expires. */
  ttlMs: count.min(1).max(LONGEST_TTL_MS).nullable(),
});
export const revokeTokenParams = z.object({ id: name });
export const shareParams = z.object({
  /** Only this process; without it all of them. */
  key: name.optional(),
  ttlMs: count.min(1).max(SHARE_TTL_MS.max).optional(),
});
export const revokeShareParams = z.object({ id: name });

/** `page`: what a page got for the code of its link. `gateway`: its own, and the file that the operator named. */
type TokenKind = 'token' | 'page' | 'gateway';

/** All that is public about a token. */
export interface TokenInfo {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly kind: TokenKind;
  readonly createdAtMs: number;
  /** Null = never. */
  readonly expiresAtMs: number | null;
  /** When somebody last came in with it, as far as this gateway knows. */
  readonly lastSeenAtMs: number | null;
  /** How many connections are open with it. */
  readonly connected: number;
  /** Whether it is the one that was used to ask. */
  readonly isOwn: boolean;
}

export interface TokensResult {
  /** The newest last. */
  readonly tokens: readonly TokenInfo[];
}

export interface CreateTokenResult {
  readonly id: string;
  /** Never told again. */
  readonly token: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAtMs: number | null;
}

export interface ShareResult {
  readonly id: string;
  /** Whoever opens it sees what is shared, until then. Never told again. */
  readonly url: string;
  readonly expiresAtMs: number;
}

/** All that is public about a share. */
export interface ShareInfo {
  readonly id: string;
  /** The one process that is shown; null = all. */
  readonly key: string | null;
  /** The name of the token that made it, and whether it is one's own. */
  readonly madeBy: string;
  readonly isOwn: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** How many connections look by it. */
  readonly connected: number;
}

export interface SharesResult {
  /** The newest last. */
  readonly shares: readonly ShareInfo[];
}

/** What the page gets for the code of its link: `POST /auth/exchange { code }`. */
export interface ExchangeResult {
  /** Of who brought no key. */
  readonly token?: string;
  /** Of who did: by what the gateway proves itself; 32 bytes in base64url. */
  readonly gatewayKey?: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAtMs: number;
}

/** A fresh link to the page: `POST /auth/link`. */
export interface LinkResult {
  readonly url: string;
  readonly expiresAtMs: number;
}
