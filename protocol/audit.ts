// The record of who did what, as the console shows it: ours on the wire.
import { z } from 'zod';
import { count, name } from './scalars.ts';
import type { Role } from './session.ts';

export const auditParams = z.object({
  /** Key of the only process to return entries of. */
  key: z.string().optional(),
  /** Filters: entries of this name only, and of this act only. */
  who: name.optional(),
  act: name.optional(),
  /** Entry numbers: only entries older than `before`, and only entries newer than `after`. */
  before: count.optional(),
  after: count.optional(),
  limit: count.min(1).max(1000).optional(),
});

export type AuditFilter = Omit<z.infer<typeof auditParams>, 'limit'>;

export interface AuditEntry {
  /** Counts up by one, from the gateway's start. */
  readonly number: number;
  readonly atMs: number;
  /** The token's name, role and public id; of who had none: empty. */
  readonly who: string;
  readonly role: Role | '';
  readonly token: string;
  /** The connection's public label; empty before there is one. */
  readonly connection: string;
  /** Address of the caller, as `127.0.0.1:51234`. */
  readonly from: string;
  /** Kind of the act, as `start`, `input`, `terminate`, `refused`. */
  readonly act: string;
  /** Key of the process that the act concerned. */
  readonly key: string | null;
  /** Number of bytes, for input; the bytes themselves are never recorded. */
  readonly bytes?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditResult {
  /** Entries, newest first. */
  readonly entries: readonly AuditEntry[];
}
