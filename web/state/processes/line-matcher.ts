// Finds a text or an expression in one line, in time linear in the length of the line, whatever the
// expression.
import type { SearchQuery } from './search-query.ts';

type Engine = typeof import('re2js').RE2JS;

export interface Match {
  readonly start: number;
  readonly end: number;
}

export type LineMatcher = (line: string) => readonly Match[];

/**
 * Maximum number of matches tried for an expression, each of which may scan the rest of its line; for plain text, all
 * matches are found.
 */
const MOST_EXPRESSION_MATCHES = 100;
/**
 * Maximum number of instructions of a compiled expression, each of which may run for every character:
 * `a{1,1000}` has two thousand.
 */
const MOST_INSTRUCTIONS = 500;

let engine: Engine | null = null;

/** Loads the engine. Await this before the first use of an expression. */
export async function loadExpressions(): Promise<void> {
  engine ??= (await import('re2js')).RE2JS;
}

/** Returns a matcher; null for an invalid or too large expression. Empty matches are never returned. */
export function lineMatcher(query: SearchQuery): LineMatcher | null {
  return query.isRegex ? expressionMatcher(query) : textMatcher(query);
}

/** Returns why the expression cannot be used, in words; null when it can. */
export function expressionProblem(text: string): string | null {
  if (lineMatcher({ text, isRegex: true, isCaseSensitive: true })) return null;
  try {
    // The browser's engine accepts more expressions than the one used here.
    RegExp(text);
    return 'Unsupported expression';
  } catch {
    return 'Invalid expression';
  }
}

function textMatcher({ text, isCaseSensitive }: SearchQuery): LineMatcher {
  // Plain text cannot cause backtracking, so the browser's own, faster engine is safe here.
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
  if (!engine) throw new Error('invariant violation: an expression was used before its engine was loaded');
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
