// Tokens and share links, as the console manages them. Our own part of the wire.
import { z } from 'zod';
import { ROLES } from './console-constants.ts';
import { count, name } from './scalars.ts';
import type { Role } from './session.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Lifetime of a share: the default, and the longest allowed. */
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
  /** Key of the one process to share; without it all processes are shared. */
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
  /** Time of the last connection with this token, as far as this gateway knows. */
  readonly lastSeenAtMs: number | null;
  /** Number of open connections that use this token. */
  readonly connected: number;
  /** True for the token that the caller authenticated with. */
  readonly isOwn: boolean;
}

export interface TokensResult {
  /** The newest last. */
  readonly tokens: readonly TokenInfo[];
}

export interface CreateTokenResult {
  readonly id: string;
  /** The secret itself; never returned again. */
  readonly token: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAtMs: number | null;
}

export interface ShareResult {
  readonly id: string;
  /** The link: anybody who opens it sees the shared processes until `expiresAtMs`. Never returned again. */
  readonly url: string;
  readonly expiresAtMs: number;
}

/** All that is public about a share. */
export interface ShareInfo {
  readonly id: string;
  /** The one process that is shown; null = all. */
  readonly key: string | null;
  /** Name of the token that created it; `isOwn` is true when that is the caller's token. */
  readonly madeBy: string;
  readonly isOwn: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Number of connections that use this share. */
  readonly connected: number;
}

export interface SharesResult {
  /** The newest last. */
  readonly shares: readonly ShareInfo[];
}

/** Result of `POST /auth/exchange { code }`, where a page exchanges the code of its sign-in link. */
export interface ExchangeResult {
  /** Token of the page, for a page that sent no key. */
  readonly token?: string;
  /** Key with which the gateway proves itself, for a page that sent one; 32 bytes in base64url. */
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
