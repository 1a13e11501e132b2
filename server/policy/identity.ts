// Who is at the other end of a connection, as its proof says.
import type { Role } from '../../protocol/session.ts';

export interface Identity {
  /** The token's id, never the token. */
  readonly tokenId: string;
  /** What people see. */
  readonly name: string;
  readonly role: Role;
  /** ms since the epoch; null = never. */
  readonly expiresAtMs: number | null;
  /** Of who came by a share: which, and the only process that it shows; null = all. */
  readonly share?: { readonly id: string; readonly key: string | null };
}
