// A line of a saved audit log.
import type { AuditEntry } from '../../../protocol/audit.ts';
import { visibleJson } from '../../../text/visible.ts';

/** Returns the entry as JSON on one line for every reader, in which nothing controls a terminal. */
export const recordLine = ({ atMs, ...entry }: AuditEntry): string =>
  visibleJson(JSON.stringify({ at: new Date(atMs).toISOString(), ...entry }));
