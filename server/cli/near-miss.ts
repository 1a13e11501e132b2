// Suggests the intended option or command for a mistyped one.

/** Maximum number of wrong characters, as a fraction of the length of the word; one is always allowed. */
const MOST_WRONG = 1 / 3;

/**
 * Returns a text such as `; did you mean --all?` for the most similar candidate or, when none is similar, for the
 * candidate that begins with the word; `''` when no candidate qualifies, or more than one.
 */
export function suggestion(word: string, candidates: readonly string[]): string {
  const wrong = (candidate: string): number => distance(word, candidate);
  const most = Math.max(1, Math.floor(word.replace(/^-+/, '').length * MOST_WRONG));
  const least = Math.min(...candidates.map(wrong));
  const similar = candidates.filter((candidate) => wrong(candidate) === least && least <= most);
  const longer = candidates.filter((candidate) => candidate.startsWith(word));
  const [only, ...others] = similar.length > 0 ? similar : longer;
  return only === undefined || others.length > 0 ? '' : `; did you mean ${only}?`;
}

/**
 * Returns the number of characters to insert, delete, replace or swap with the next one to turn one word into the
 * other.
 */
function distance(one: string, other: string): number {
  let before: readonly number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          (next[column - 1] ?? 0) + 1,
          (last[column] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last.at(-1) ?? 0;
}
