// Hits of a search in all output, ready to show: grouped by process, and shortened before the match.
import { numberText } from '../../../text/amounts.ts';
import type { SearchHit } from '../../../protocol/looks.ts';
import { visible } from '../../../text/visible.ts';
import { cutIndex } from '../../../text/cut.ts';

export interface HitsOfProcess {
  readonly key: string;
  readonly hits: readonly SearchHit[];
}

/** Groups the hits by process, in the order in which the gateway returns them. */
export function byProcess(hits: readonly SearchHit[]): HitsOfProcess[] {
  const grouped = new Map<string, SearchHit[]>();
  for (const hit of hits) {
    const there = grouped.get(hit.key);
    if (there) there.push(hit);
    else grouped.set(hit.key, [hit]);
  }
  return [...grouped].map(([key, ofIt]) => ({ key, hits: ofIt }));
}

interface HitText {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Maximum number of characters before a match: more would push the match out of view. */
const BEFORE_CHARS = 40;

export function hitText({ text, start, end }: Pick<SearchHit, 'text' | 'start' | 'end'>): HitText {
  const before = text.slice(0, start).trimStart();
  const cut =
    before.length > BEFORE_CHARS
      ? `…${before.slice(cutIndex(before, before.length - BEFORE_CHARS))}`
      : before;
  return {
    before: visible(cut),
    // The match may be empty, as an expression can match empty text.
    match: visible(text.slice(start, end)),
    after: visible(text.slice(end).trimEnd()),
  };
}

/** Returns for example `3 lines in 2 processes`. */
export function foundText(hits: readonly SearchHit[], isComplete: boolean): string {
  if (hits.length === 0) return isComplete ? 'No results' : 'No results in the part that was searched';
  const rest = isComplete ? '' : '; there may be more';
  const processes = byProcess(hits).length;
  const lines = hits.length === 1 ? '1 line' : `${numberText(hits.length)} lines`;
  const where = processes === 1 ? '1 process' : `${numberText(processes)} processes`;
  return `${lines} in ${where}${rest}`;
}
