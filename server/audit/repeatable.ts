// Classifies the audit entries that callers can repeat without limit, so that these do not evict other acts.
import type { AuditEntry } from '../../protocol/audit.ts';
import { METHOD_NAMES, recordOf } from '../../protocol/records.ts';

type What = Pick<AuditEntry, 'act' | 'details'>;

const listed = (kind: 'visits' | 'acts'): readonly string[] =>
  METHOD_NAMES.flatMap((method) => recordOf(method).repeatable?.[kind] ?? []);

const VISITS: ReadonlySet<string> = new Set([
  'connected',
  'disconnected',
  'signIn',
  'refused',
  'failed',
  'tooMany',
  ...listed('visits'),
]);
const OFTEN: ReadonlySet<string> = new Set(listed('acts'));

/** Returns true for entries that are stored apart: for example connections, views, failures and refusals. */
export const isVisit = ({ act, details }: What): boolean =>
  VISITS.has(act) || (act === 'terminate' && details?.['running'] === false);

/** Returns true for an entry that counts towards the limit of entries per caller and minute. */
export const isRepeatable = (what: What): boolean => isVisit(what) || OFTEN.has(what.act);
