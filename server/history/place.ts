// Place at which the next page of the history begins. Processes start and end between two pages, so those that
// were running when the first page was requested count as running in all pages, and none is shown twice or
// missed.
import { isProcessKey } from '../../protocol/process-key.ts';
import { MONTH } from '../record/places.ts';

export interface Place {
  /** Time at which the first page was requested. */
  readonly beginMs: number;
  /** Last process that was listed completely. */
  readonly last: LastRunning | LastEnded;
}

/**
 * A process that was running when the first page was requested, or that has no recording; such processes are ordered by
 * start.
 */
export interface LastRunning {
  readonly kind: 'running';
  readonly startedAtMs: number;
  readonly key: string;
}

/** A process in the catalogue. */
export interface LastEnded {
  readonly kind: 'ended';
  /** Null when only the running processes have been listed. */
  readonly entry: { readonly month: string; readonly offset: number; readonly key: string } | null;
}

export const firstPlace = (): Place => ({
  beginMs: Date.now(),
  last: { kind: 'running', startedAtMs: Number.MAX_SAFE_INTEGER, key: '-' },
});

export function encodePlace({ beginMs, last }: Place): string {
  const where =
    last.kind === 'running'
      ? ['r', last.startedAtMs, last.key]
      : last.entry
        ? [last.entry.month, last.entry.offset, last.entry.key]
        : ['e', 0, '-'];
  return [beginMs, ...where].join(':');
}

/** Decodes a place; returns null when it is missing or invalid: the page then begins at the newest process. */
export function decodePlace(text: string | undefined): Place | null {
  const [begin = '', month = '', number = '', key = '', ...rest] = (text ?? '').split(':');
  if (![begin, number].every((each) => /^\d{1,16}$/.test(each)) || rest.length > 0) return null;
  if (!isProcessKey(key) || !(MONTH.test(month) || month === 'r' || month === 'e')) return null;
  const last: Place['last'] =
    month === 'r'
      ? { kind: 'running', startedAtMs: Number(number), key }
      : { kind: 'ended', entry: month === 'e' ? null : { month, offset: Number(number), key } };
  return { beginMs: Number(begin), last };
}

interface Started {
  readonly startedAtMs: number;
  readonly key: string;
}

/** Orders running processes, newest start first. */
export const byStart = (one: Started, other: Started): number =>
  other.startedAtMs - one.startedAtMs || (one.key < other.key ? 1 : one.key > other.key ? -1 : 0);
