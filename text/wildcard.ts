// Patterns as clients write them for names: `*` and `?` are wildcards.

/**
 * Returns true when the whole name matches. Only the last `*` is ever retried, so that no pattern takes longer than its
 * length times the name's; some regular expressions for the same would never end.
 */
export function matchesWildcard(pattern: string, name: string): boolean {
  let [at, inPattern] = [0, 0];
  let lastStar = -1;
  /** Index where the name continues behind the match of the last `*`. */
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
