// Finds the lines of one process's output that match an expression, as text without control sequences, however
// chunks and streams split the output.
import { masked } from '../../text/masking.ts';
import { maskedLine, plainLine } from '../../text/plain-text.ts';
import { plainLines } from './plain-lines.ts';
import { excerpt } from '../../text/excerpt.ts';

export interface LineHit {
  /** Decoded bytes of all output before the line. */
  readonly offset: number;
  readonly text: string;
  /** Position of the first match in `text`. */
  readonly start: number;
  readonly end: number;
}

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
    const end = match.index + match[0].length;
    hits.push({ offset: line.offset, ...excerpt(line.text, match.index, end) });
    if (hits.length <= limit) continue;
    hits.shift();
    isCut = true;
  }
  return { hits, isCut };
}
