// The identity of a connection's client, according to its proof.
import type { Role } from '../../protocol/session.ts';

export interface Identity {
  /** The token's id, never the token. */
  readonly tokenId: string;
  /** Name that people see. */
  readonly name: string;
  readonly role: Role;
  /** Expiry in ms since the epoch; null = never. */
  readonly expiresAtMs: number | null;
  /** True for an agent's token with which its own client may decide, because its maker has said so. */
  readonly mayElicit?: true;
  /** Share through which a viewer came, and the only process that it shows; null = all. */
  readonly share?: { readonly id: string; readonly key: string | null };
}
