// Identity of a connection's client, from its token or proof.
import type { Role } from '../../protocol/session.ts';

export interface Identity {
  /** The token's id, never the token. */
  readonly tokenId: string;
  readonly name: string;
  readonly role: Role;
  /** Expiry in ms since the epoch; null means never. */
  readonly expiresAtMs: number | null;
  /** True when the agent's own client may decide about approvals, as the creator of its token has allowed. */
  readonly mayElicit?: true;
  /** Share link of a guest, and the only process that it shows; null means all. */
  readonly share?: { readonly id: string; readonly key: string | null };
}

/** Result of verifying a token or proof: null when it is wrong, `tooMany` beyond the limit on proofs of one credential. */
export type Verified = Identity | 'tooMany' | null;
