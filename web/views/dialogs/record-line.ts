// A line of a saved audit log.
import type { AuditEntry } from '../../../protocol/audit.ts';
import { visibleJson } from '../../../text/visible.ts';

/** Returns the entry as one line of JSON, in which hidden and control characters are escaped. */
export const recordLine = ({ atMs, ...entry }: AuditEntry): string =>
  visibleJson(JSON.stringify({ at: new Date(atMs).toISOString(), ...entry }));
