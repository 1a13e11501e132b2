// Finds a text or an expression in one line, in time that grows with the line and never with what the expression might try.
import type { SearchQuery } from './search-query.ts';

type Engine = typeof import('re2js').RE2JS;

export interface Match {
  readonly start: number;
  readonly end: number;
}

export type LineMatcher = (line: string) => readonly Match[];

/** Each may look at the whole rest of its line; of a text all are found. */
const MOST_EXPRESSION_MATCHES = 100;
/** Instructions of an expression, each of which may run for every letter: `a{1,1000}` has two thousand. */
const MOST_INSTRUCTIONS = 500;

let engine: Engine | null = null;

/** To be awaited before anything is asked with an expression. */
export async function loadExpressions(): Promise<void> {
  engine ??= (await import('re2js')).RE2JS;
}

/** Null for a text that is no expression, or one too large. Nothing is found that has no letters. */
export function lineMatcher(query: SearchQuery): LineMatcher | null {
  return query.isRegex ? expressionMatcher(query) : textMatcher(query);
}

/** Why that is nothing to search for with, in words; null when it is. */
export function expressionProblem(text: string): string | null {
  if (lineMatcher({ text, isRegex: true, isCaseSensitive: true })) return null;
  try {
    return new RegExp(text).source === '' ? null : 'not supported here';
  } catch {
    return 'not an expression';
  }
}

function textMatcher({ text, isCaseSensitive }: SearchQuery): LineMatcher {
  // A text takes no tries: the browser's own expressions are quick, and know cases.
  const pattern = new RegExp(
    text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
    isCaseSensitive ? 'gu' : 'giu',
  );
  return (line) =>
    text === ''
      ? []
      : Array.from(line.matchAll(pattern), ({ index, 0: { length } }) => ({
          start: index,
          end: index + length,
        }));
}

function expressionMatcher({ text, isCaseSensitive }: SearchQuery): LineMatcher | null {
  if (!engine) throw new Error('invariant violation: an expression before what reads it');
  try {
    const expression = engine.compile(text, isCaseSensitive ? 0 : engine.CASE_INSENSITIVE);
    if (expression.programSize() > MOST_INSTRUCTIONS) return null;
    return (line) => {
      const matches: Match[] = [];
      const matcher = expression.matcher(line);
      for (let tried = 0; tried < MOST_EXPRESSION_MATCHES && matcher.find(); tried += 1) {
        const [start, end] = [matcher.start(), matcher.end()];
        if (end > start) matches.push({ start, end });
      }
      return matches;
    };
  } catch {
    return null;
  }
}
