// The record of who did what, as the console shows it: ours on the wire.
import { z } from 'zod';
import { count, name } from './scalars.ts';
import type { Role } from './session.ts';

export const auditParams = z.object({
  /** Only of this process. */
  key: z.string().optional(),
  /** Only by whom of this name, and only this act. */
  who: name.optional(),
  act: name.optional(),
  /** Only older ones than that of this number, and only newer ones. */
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
  /** Where it comes from, as `127.0.0.1:51234`. */
  readonly from: string;
  /** What was done, as `start`, `input`, `terminate`, `refused`. */
  readonly act: string;
  /** Of the process that it was done to. */
  readonly key: string | null;
  /** Of input: how many bytes; never which. */
  readonly bytes?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditResult {
  /** The newest first. */
  readonly entries: readonly AuditEntry[];
}
