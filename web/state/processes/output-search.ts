// The hits of a search in all output, as a person reads them: by process, each line cut around what was found.
import type { SearchHit } from '../../../protocol/looks.ts';
import { visible } from '../../../text/visible.ts';

export interface HitsOfProcess {
  readonly key: string;
  readonly hits: readonly SearchHit[];
}

/** In the order in which the gateway gives them. */
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

/** More of it before the match would push the match out of sight. */
const BEFORE_CHARS = 40;

export function hitText({ text, start, end }: SearchHit): HitText {
  const before = text.slice(0, start).trimStart();
  const cut = before.length > BEFORE_CHARS ? `…${before.slice(-BEFORE_CHARS)}` : before;
  return {
    before: visible(cut),
    // An expression may find nothing, at a place.
    match: visible(text.slice(start, end)),
    after: visible(text.slice(end).trimEnd()),
  };
}

/** `3 lines in 2 processes`. */
export function foundText(hits: readonly SearchHit[], isComplete: boolean): string {
  const rest = isComplete ? '' : '; there may be more';
  if (hits.length === 0) return `Nothing found${rest}`;
  const processes = byProcess(hits).length;
  const lines = hits.length === 1 ? '1 line' : `${hits.length} lines`;
  const where = processes === 1 ? '1 process' : `${processes} processes`;
  return `${lines} in ${where}${rest}`;
}
