// Measures the nesting depth and number of values of a JSON text before it is parsed.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export interface Extent {
  readonly levels: number;
  /** Number of values; an empty list or object counts as two. */
  readonly values: number;
  /** Number of object members; each costs about ten times as much as a list item. */
  readonly members: number;
}

/**
 * Length below which counting brackets can prove that a message exceeds no limit. Counting is faster than the loop
 * over all characters, and most messages are shorter.
 */
const SHORT = 1024;

/** Returns the number of opening brackets and braces, including those inside strings. */
const openings = (text: string): number => text.split('[').length + text.split('{').length - 2;

/** Returns the first limit that the text exceeds, or null. Invalid JSON is measured as far as possible. */
export function beyond(text: string, { levels, values, members }: Extent): keyof Extent | null {
  if (text.length < Math.min(values, members, SHORT) && openings(text) <= levels) return null;
  let depth = 0;
  let count = 1;
  let named = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth += 1;
        count += 1;
        if (depth > levels) return 'levels';
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1;
        break;
      case COMMA:
        count += 1;
        break;
      case COLON:
        named += 1;
        if (named > members) return 'members';
        break;
    }
    if (count > values) return 'values';
  }
  return null;
}

/**
 * Returns the position of the closing quote of the string at `start`, or the text's length if there is none.
 * `indexOf` is faster than a loop, and most of a message is strings.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}
