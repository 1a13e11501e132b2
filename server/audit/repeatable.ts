// Which entries anybody can make without end, and which of them change nothing: neither may push out what was done.
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

/** Who came, looked, failed or was refused: it has a file and a place in memory of its own. */
export const isVisit = ({ act, details }: What): boolean =>
  VISITS.has(act) || (act === 'terminate' && details?.['running'] === false);

/** What is recorded only so often. */
export const isRepeatable = (what: What): boolean => isVisit(what) || OFTEN.has(what.act);
