// Computes the line-by-line difference between two texts.

/** Number of unchanged lines shown before and after a change. */
const AROUND = 3;
/** Maximum number of lines of each text; if either has more, the first is shown as replaced by the second. */
const MOST_LINES = 3000;
/** Line after a last line that does not end in a newline, as `diff` and Git print it. */
const UNENDED = '\\ No newline at end of file';

/** A line with its newline, since texts may differ only in the last newline. */
type Line = readonly [sign: ' ' | '-' | '+', text: string];

/**
 * Returns the changed lines and up to AROUND lines before and after each, with the prefix `- `, `+ ` or two spaces; a
 * line with `…` replaces omitted lines, except at the beginning, and UNENDED follows a last line without a newline.
 * Returns no lines when the texts are equal.
 */
export function lineDiff(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const [from, to] = [linesOf(before), linesOf(after)];
  const isLong = from.length > MOST_LINES || to.length > MOST_LINES;
  const all: readonly Line[] = isLong
    ? [...from.map((text): Line => ['-', text]), ...to.map((text): Line => ['+', text])]
    : compared(from, to);
  const isNear = (at: number): boolean =>
    all.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(([sign]) => sign !== ' ');
  return all.flatMap(([sign, text], at) =>
    isNear(at) ? shown(sign, text) : isNear(at - 1) && at > 0 ? ['  …'] : [],
  );
}

const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

const shown = (...[sign, text]: Line): readonly string[] =>
  text.endsWith('\n') ? [`${sign} ${text.slice(0, -1)}`] : [`${sign} ${text}`, UNENDED];

function compared(from: readonly string[], to: readonly string[]): readonly Line[] {
  // Length of the longest common subsequence from each pair of positions on.
  const width = to.length + 1;
  const common = new Uint16Array((from.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = from.length - 1; i >= 0; i -= 1)
    for (let j = to.length - 1; j >= 0; j -= 1)
      common[i * width + j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      lines.push([' ', from[i] ?? '']);
      i += 1;
      j += 1;
    } else if (i < from.length && (j === to.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(['-', from[i] ?? '']);
      i += 1;
    } else {
      lines.push(['+', to[j] ?? '']);
      j += 1;
    }
  }
  return lines;
}
