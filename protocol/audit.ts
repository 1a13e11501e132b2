// The audit log, as shown in the console. Exec-console's extension of the protocol.
import { z } from 'zod';
import { count, name } from './scalars.ts';
import type { Role } from './session.ts';

export const auditParams = z.object({
  /** Key of the process to return entries about. */
  key: z.string().optional(),
  /** Returns only entries with this token name (`who`), and of this kind (`act`). */
  who: name.optional(),
  act: name.optional(),
  /** Returns only entries with numbers below `before` and above `after`. */
  before: count.optional(),
  after: count.optional(),
  limit: count.min(1).max(1000).optional(),
});

export type AuditFilter = Omit<z.infer<typeof auditParams>, 'limit'>;

export interface AuditEntry {
  /** Increases with each entry; a restart of the gateway numbers all entries anew. */
  readonly number: number;
  readonly atMs: number;
  /** Name, role and public id of the token; empty without a token. */
  readonly who: string;
  readonly role: Role | '';
  readonly token: string;
  /** Public label of the connection; empty before there is one. */
  readonly connection: string;
  /** Address of the caller, such as `127.0.0.1:51234`. */
  readonly from: string;
  /** Kind of act, such as `start`, `input`, `terminate` or `refused`. */
  readonly act: string;
  /** Key of the process acted on; null if the act concerns no single process. */
  readonly key: string | null;
  /** Number of input bytes; the bytes themselves are never recorded. */
  readonly bytes?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditResult {
  /** Entries, newest first. */
  readonly entries: readonly AuditEntry[];
}
