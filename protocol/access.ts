// Tokens and share links, as managed in the console. Exec-console's extension of the protocol.
import { z } from 'zod';
import { ROLES } from './console-constants.ts';
import { count, name } from './scalars.ts';
import type { Role } from './session.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Lifetime of a share: default and maximum. */
export const SHARE_TTL_MS = { default: HOUR_MS, max: 7 * 24 * HOUR_MS } as const;

/** Maximum lifetime of a token: ten years, which is effectively unlimited. */
const LONGEST_TTL_MS = 10 * 365 * 24 * HOUR_MS;

export const createTokenParams = z.object({
  name,
  role: z.enum(ROLES),
  /** Lifetime in ms; null = never expires. */
  ttlMs: count.min(1).max(LONGEST_TTL_MS).nullable(),
});
export const revokeTokenParams = z.object({ id: name });
export const shareParams = z.object({
  /** Key of the process to share; default: all processes. */
  key: name.optional(),
  ttlMs: count.min(1).max(SHARE_TTL_MS.max).optional(),
});
export const revokeShareParams = z.object({ id: name });

/**
 * `token`: created by a person or a command, or for agents by the gateway. `page`: created for a page by a sign-in
 * link. `gateway`: the gateway's own token, or one from the operator's token file.
 */
type TokenKind = 'token' | 'page' | 'gateway';

/** Public information about a token. */
export interface TokenInfo {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly kind: TokenKind;
  readonly createdAtMs: number;
  /** Time of expiry; null = never. */
  readonly expiresAtMs: number | null;
  /** Time of the token's last use since the gateway started; null if there was none. */
  readonly lastSeenAtMs: number | null;
  /** Number of open connections that use this token. */
  readonly connected: number;
  /** True for the token that the caller authenticated with. */
  readonly isOwn: boolean;
}

export interface TokensResult {
  /** Tokens of the kind `gateway`, then the others, oldest first. */
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
  /** Link for read-only access to the shared processes until `expiresAtMs`. Never returned again. */
  readonly url: string;
  readonly expiresAtMs: number;
}

/** Public information about a share. */
export interface ShareInfo {
  readonly id: string;
  /** Key of the shared process; null = all. */
  readonly key: string | null;
  /** Name of the token that created the share; `isOwn`: the caller's own token created it. */
  readonly madeBy: string;
  readonly isOwn: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Number of connections that use this share. */
  readonly connected: number;
}

export interface SharesResult {
  /** Oldest first. */
  readonly shares: readonly ShareInfo[];
}

/**
 * Result of `POST /auth/exchange`, with which a page exchanges the code of a sign-in link, or the secret of a share,
 * for a credential.
 */
export interface ExchangeResult {
  /** The page's token, if the page sent no key. */
  readonly token?: string;
  /** Key with which the gateway proves its identity, if the page sent a key; 32 bytes as base64url. */
  readonly gatewayKey?: string;
  readonly name: string;
  readonly role: Role;
  readonly expiresAtMs: number;
}

/** Result of `POST /auth/link`: a new sign-in link to the page. */
export interface LinkResult {
  readonly url: string;
  readonly expiresAtMs: number;
}
