// Part of a long line around a match, as the results of a search show it.
import { cutIndex } from './cut.ts';

/** Maximum number of characters in an excerpt, and of those before the match, unless the line ends soon after it. */
const EXCERPT_CHARS = 300;
const BEFORE_MATCH_CHARS = 60;

export interface Excerpt {
  readonly text: string;
  /** Range of the match in `text`. */
  readonly start: number;
  readonly end: number;
}

/** Returns the excerpt around the match from `start` to `end`; a short line is returned whole. */
export function excerpt(line: string, start: number, end: number): Excerpt {
  if (line.length <= EXCERPT_CHARS) return { text: line, start, end };
  const from = cutIndex(line, Math.max(0, Math.min(start - BEFORE_MATCH_CHARS, line.length - EXCERPT_CHARS)));
  const to = cutIndex(line, from + EXCERPT_CHARS);
  return { text: line.slice(from, to), start: start - from, end: Math.min(end, to) - from };
}
