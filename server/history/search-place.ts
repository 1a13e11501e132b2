// Place at which the next page of a search begins: the recordings that are searched together, and the process after
// which the next one is taken.
import { isProcessKey } from '../../protocol/process-key.ts';
import { MONTH } from '../record/places.ts';
import { decodePlace, encodePlace, firstPlace, type Place } from './place.ts';
import type { SearchCount } from './recording-search.ts';
import type { Remaining } from './segment-search.ts';

/**
 * Maximum number of recordings that are searched together, so that their hits are in order. It limits what a page
 * reads before its first hit, and the hits that are held: `historyHits` of each.
 */
export const MERGED_RECORDINGS = 16;

/** The part of a recording that remains to be searched. */
export interface RemainingPart extends Remaining {
  readonly key: string;
  readonly month: string;
  /** Time after which no line of the part was printed; Infinity when unknown. */
  readonly endMs: number;
}

export interface SearchPlace {
  /** Place of the next process that is not searched yet. */
  readonly next: Place;
  readonly parts: readonly RemainingPart[];
  /** Bytes counted on earlier pages. */
  readonly count: SearchCount;
  /** Estimate of the total bytes; null before the first page. */
  readonly totalBytes: number | null;
}

const NUMBER = /^\d{1,16}$/;
const MAYBE_NUMBER = /^\d{0,16}$/;

const firstSearchPlace = (): SearchPlace => ({
  next: firstPlace(),
  parts: [],
  count: { searched: 0, unreadable: 0 },
  totalBytes: null,
});

export function encodeSearchPlace({ next, parts, count, totalBytes }: SearchPlace): string {
  const { searched, unreadable } = count;
  const texts = parts.map(({ key, month, segment, line, endMs }) =>
    [key, month, segment ?? '', line ?? '', endMs === Number.POSITIVE_INFINITY ? '' : whole(endMs)].join(':'),
  );
  const counts = [searched, unreadable, totalBytes ?? 0].map(whole);
  return [encodePlace(next), counts.join(':'), ...texts].join('~');
}

/** Returns a whole number that can be decoded, since damaged facts of a recording may have any number. */
const whole = (value: number): number => Math.min(Math.max(0, Math.ceil(value)), Number.MAX_SAFE_INTEGER);

/** Decodes a place; returns the first one when it is missing or invalid. */
export function decodeSearchPlace(text: string | undefined): SearchPlace {
  const [place, counts = '', ...texts] = (text ?? '').split('~');
  const next = decodePlace(place);
  const numbers = counts.split(':');
  const parts = texts.flatMap((each) => partOf(each) ?? []);
  const isWhole = parts.length === texts.length && parts.length <= MERGED_RECORDINGS;
  if (!next || !isWhole || numbers.length !== 3 || !numbers.every((each) => NUMBER.test(each)))
    return firstSearchPlace();
  const [searched = 0, unreadable = 0, totalBytes = 0] = numbers.map(Number);
  return { next, parts, count: { searched, unreadable }, totalBytes };
}

function partOf(text: string): RemainingPart | null {
  const [key = '', month = '', ...numbers] = text.split(':');
  if (!isProcessKey(key) || !MONTH.test(month)) return null;
  if (numbers.length !== 3 || !numbers.every((each) => MAYBE_NUMBER.test(each))) return null;
  const [segment = null, line = null, endMs = null] = numbers.map((each) =>
    each === '' ? null : Number(each),
  );
  return { key, month, segment, line, endMs: endMs ?? Number.POSITIVE_INFINITY };
}
