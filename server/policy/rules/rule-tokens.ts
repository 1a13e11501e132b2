// Tokens of a rule file: names, strings and punctuation, each with its position.

export interface Spot {
  /** Line and column, both from 1; columns count UTF-16 code units. */
  readonly line: number;
  readonly column: number;
}

export interface Token extends Spot {
  readonly kind: 'name' | 'string' | 'punctuation' | 'end';
  /** Text of the token; for a string, its value. */
  readonly text: string;
}

export class RuleError extends Error {
  readonly line: number;
  readonly column: number;
  constructor({ line, column }: Spot, what: string) {
    super(what);
    this.line = line;
    this.column = column;
  }
}

const SKIPPED = /(?:[ \t\r\n]+|#[^\n]*)+/y;
const NAME = /[A-Za-z_]\w*/y;
/** A string on one line; escapes are checked later. */
const STRING = /"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'/y;
const PUNCTUATION = /[()[\],=]/y;
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/gs;
const ESCAPES: { readonly [letter: string]: string } = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** Returns the tokens, followed by an end token; throws RuleError. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  const starts = lineStarts(source);
  let at = 0;
  const spot = (): Spot => spotOf(starts, at);
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0] ?? null;
    return text;
  };
  while (at < source.length) {
    const skipped = take(SKIPPED);
    if (skipped !== null) {
      at += skipped.length;
      continue;
    }
    const here = spot();
    const name = take(NAME);
    const text = name ?? take(STRING) ?? take(PUNCTUATION);
    if (text === null) throw new RuleError(here, unexpected(source.charAt(at)));
    const isString = name === null && /^["']/.test(text);
    tokens.push({
      ...here,
      kind: name !== null ? 'name' : isString ? 'string' : 'punctuation',
      text: isString ? valueOf(text, here) : text,
    });
    at += text.length;
    // Two quotes are an empty string, and three begin a string that this language does not support.
    if (isString && text.length === 2 && source.charAt(at) === text.charAt(0))
      throw new RuleError(here, 'triple-quoted strings are not supported');
  }
  tokens.push({ ...spot(), kind: 'end', text: '' });
  return tokens;
}

const unexpected = (character: string): string =>
  character === '"' || character === "'"
    ? 'this string is not closed on its line'
    : `unexpected ${JSON.stringify(character)}`;

function valueOf(quoted: string, here: Spot): string {
  return quoted.slice(1, -1).replaceAll(ESCAPE, (whole, byte?: string, unit?: string, letter?: string) => {
    const code = byte ?? unit;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    const value = ESCAPES[letter ?? ''];
    if (value === undefined) throw new RuleError(here, `unknown escape ${whole} in a string`);
    return value;
  });
}

function lineStarts(source: string): readonly number[] {
  return [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function spotOf(starts: readonly number[], at: number): Spot {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
}
