// The longest literal that every matching line contains. Searching for it rules out most lines, blocks and segments.
import type { LineQuery } from '../../text/line-query.ts';

// oxlint-disable-next-line no-control-regex -- ASCII only: the cases of other letters differ in bytes
const OTHERS = /[^\u0020-\u007e]+/;
/** A token of an expression; one in `escaped`, or in no named group, is a literal character. */
const TOKEN =
  /\\(?<escaped>[^\dA-Za-z])|(?<break>\\[bBdDsSwW]|\[(?:\\.|[^\]\\])*\]|[.^$])|(?<repeat>[*+?]|\{\d+(?:,\d*)?\})|(?<unknown>[\\()|[\]{}])|./gsu;

/** Returns the literal in lower case, ASCII only; null when there is none. */
export function needleOf({ text, isRegex }: LineQuery): string | null {
  const runs = isRegex ? runsOf(text) : text.split(OTHERS);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest === '' ? null : longest.toLowerCase();
}

/**
 * Returns literals that every match of an expression contains; none when the expression has an alternative, a group
 * or an escape such as `\n`, since the literals around these may not be in every match.
 */
function runsOf(source: string): readonly string[] {
  const runs: string[] = [];
  let run = '';
  const end = (upTo: number): void => {
    runs.push(run.slice(0, upTo));
    run = '';
  };
  for (const { 0: token, groups } of source.matchAll(TOKEN)) {
    if (groups?.['unknown']) return [];
    if (groups?.['repeat']) end(token === '+' ? run.length : -1);
    else if (groups?.['break'] || OTHERS.test(token)) end(run.length);
    else run += groups?.['escaped'] ?? token;
  }
  end(run.length);
  return runs;
}
