// The place at which the next page of history begins. Processes start and end between two pages: what ran when the first
// page was made counts as running in all of them, so that none is shown twice or missed.
import { isKey, MONTH } from '../record/places.ts';

export interface Place {
  /** Time of the first page. */
  readonly beginMs: number;
  /** The last process that is done. */
  readonly last: LastRunning | LastEnded;
  /** Number of a segment of the next process: those before it are left. */
  readonly segment: number | null;
  /** Number of a line of the last of these segments: those before it are left. */
  readonly line: number | null;
}

/** One of those that ran at the beginning: they are in the order of their starts. */
export interface LastRunning {
  readonly kind: 'running';
  readonly startedAtMs: number;
  readonly key: string;
}

/** One in the catalogue; null: all that ran are done. */
export interface LastEnded {
  readonly kind: 'ended';
  readonly entry: { readonly month: string; readonly offset: number; readonly key: string } | null;
}

export const firstPlace = (): Place => ({
  beginMs: Date.now(),
  last: { kind: 'running', startedAtMs: Number.MAX_SAFE_INTEGER, key: '-' },
  segment: null,
  line: null,
});

export function encodePlace({ beginMs, last, segment, line }: Place): string {
  const where =
    last.kind === 'running'
      ? ['r', last.startedAtMs, last.key]
      : last.entry
        ? [last.entry.month, last.entry.offset, last.entry.key]
        : ['e', 0, '-'];
  return [beginMs, ...where, segment, line].filter((part) => part !== null).join(':');
}

/** Null for anything else: the page then begins at the newest. */
export function decodePlace(text: string | undefined): Place | null {
  const [begin = '', month = '', number = '', key = '', ...rest] = (text ?? '').split(':');
  if (![begin, number, ...rest].every((each) => /^\d{1,16}$/.test(each)) || rest.length > 2) return null;
  if (!isKey(key) || !(MONTH.test(month) || month === 'r' || month === 'e')) return null;
  const [segment = null, line = null] = rest.map(Number);
  const last: Place['last'] =
    month === 'r'
      ? { kind: 'running', startedAtMs: Number(number), key }
      : { kind: 'ended', entry: month === 'e' ? null : { month, offset: Number(number), key } };
  return { beginMs: Number(begin), last, segment, line };
}

interface Started {
  readonly startedAtMs: number;
  readonly key: string;
}

/** The order of those that ran: the newest start first. */
export const byStart = (one: Started, other: Started): number =>
  other.startedAtMs - one.startedAtMs || (one.key < other.key ? 1 : one.key > other.key ? -1 : 0);
