// Finds lines in the output of one process, as text without control sequences, however chunks and streams
// split it.
import { masked } from '../../text/masking.ts';
import { maskedLine, plainLine } from '../../text/plain-text.ts';
import { plainLines } from './plain-lines.ts';

export interface LineHit {
  /** Decoded bytes of all output before the line. */
  readonly offset: number;
  readonly text: string;
  /** Position of the first match in `text`. */
  readonly start: number;
  readonly end: number;
}

/** Maximum characters of a hit's text; a longer line is reduced to the part around the match. */
const TEXT_CHARS = 300;
const BEFORE_MATCH_CHARS = 60;

export interface Searched {
  readonly output: Buffer;
  /** Decoded bytes before `output`. */
  readonly offset: number;
  readonly limit: number;
  /** True when secrets in the text of a line are masked. */
  readonly isRedacted: boolean;
}

export interface Found {
  /** The newest `limit` matching lines, oldest first. */
  readonly hits: readonly LineHit[];
  /** True when there were older hits. */
  readonly isCut: boolean;
}

export function matchLines(expression: RegExp, { output, offset, limit, isRedacted }: Searched): Found {
  const hits: LineHit[] = [];
  let isCut = false;
  const shownLine = isRedacted ? (line: string): string => maskedLine(line, masked) : plainLine;
  for (const line of plainLines(output, offset, shownLine)) {
    const match = expression.exec(line.text);
    if (!match) continue;
    hits.push(shown(line.offset, line.text, match.index, match.index + match[0].length));
    if (hits.length <= limit) continue;
    hits.shift();
    isCut = true;
  }
  return { hits, isCut };
}

function shown(offset: number, text: string, start: number, end: number): LineHit {
  if (text.length <= TEXT_CHARS) return { offset, text, start, end };
  const from = Math.max(0, Math.min(start - BEFORE_MATCH_CHARS, text.length - TEXT_CHARS));
  return {
    offset,
    text: text.slice(from, from + TEXT_CHARS),
    start: start - from,
    end: Math.min(end - from, TEXT_CHARS),
  };
}
