// Limits of an audit log, and acts to write to it, for tests.
import type { Act, AuditLimits } from '../audit/audit.ts';

/** Limits that only a test of a limit reaches. */
export const AUDIT_LIMITS: AuditLimits = {
  auditBytes: 1e6,
  auditFiles: 3,
  auditEntries: 10,
  auditInputMs: 1000,
  auditKeptBytes: 1e6,
  auditKeptBytesPerToken: 1e6,
  auditPastBytes: 1e6,
};

export const auditAct = (what: string, key: string | null = null): Act => ({
  who: 'Ada',
  role: 'operator',
  token: 't1',
  connection: 'c1',
  from: '127.0.0.1:1',
  act: what,
  key,
});
