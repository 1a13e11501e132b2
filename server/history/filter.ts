// Selection of history: which processes a request is about, and the place at which its next page begins.
import type { ProcessInfo } from '../../protocol/console.ts';
import { MONTH } from '../record/places.ts';

export interface Filter {
  readonly agent?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly failed?: boolean | undefined;
}

/** A place in the catalogue; and in a search, the segment of that process before which it goes on. */
export interface Place {
  readonly month: string;
  readonly offset: number;
  readonly segment: number | null;
  /** Number of a line: only those before it are left of that segment. */
  readonly line: number | null;
}

/** `endedAtMs`: null while it runs. */
export function isWanted(
  { startedBy, startedAtMs, exitCode, signal, state }: ProcessInfo,
  endedAtMs: number | null,
  { agent, sinceMs, untilMs, failed }: Filter,
): boolean {
  if (agent !== undefined && agent !== startedBy) return false;
  if (sinceMs !== undefined && endedAtMs !== null && endedAtMs < sinceMs) return false;
  if (untilMs !== undefined && startedAtMs >= untilMs) return false;
  return failed !== true || state === 'lost' || signal !== null || (exitCode !== null && exitCode !== 0);
}

export const encodePlace = ({ month, offset, segment, line }: Place): string =>
  [month, offset, segment, line].filter((part) => part !== null).join(':');

/** Null for anything else: the page then begins at the newest. */
export function decodePlace(text: string | undefined): Place | null {
  const [month = '', ...numbers] = (text ?? '').split(':');
  if (!MONTH.test(month) || !numbers.every((number) => /^\d{1,15}$/.test(number))) return null;
  const [offset, segment = null, line = null] = numbers.map(Number);
  return offset === undefined ? null : { month, offset, segment, line };
}
