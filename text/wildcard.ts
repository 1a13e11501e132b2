// Matches names against patterns with the wildcards `*` and `?`.

/**
 * Returns true when the whole name matches. Only the last `*` is retried, so the time is at most proportional
 * to the product of the lengths; some regular expressions would take exponential time.
 */
export function matchesWildcard(pattern: string, name: string): boolean {
  let [at, inPattern] = [0, 0];
  let lastStar = -1;
  /** Index in the name after the match of the last `*`. */
  let behindStar = 0;
  while (at < name.length) {
    const want = pattern[inPattern];
    if (want === '*') {
      lastStar = inPattern;
      behindStar = at;
      inPattern += 1;
    } else if (want !== undefined && (want === '?' || want === name[at])) {
      at += 1;
      inPattern += 1;
    } else if (lastStar >= 0) {
      behindStar += 1;
      at = behindStar;
      inPattern = lastStar + 1;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
}
