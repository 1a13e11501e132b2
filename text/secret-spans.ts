// Finds the spans of secrets in text without sequences, by their shapes.
import { SECRET_SHAPES } from './secret-shapes.ts';

/** A range of a text, from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Secrets in a text; see `Found` in masking.ts. */
export interface FoundSpans {
  readonly spans: readonly Span[];
  readonly openFrom: number;
}

/** Matches starts of secrets; most texts contain none, so nothing else has to be searched. */
export const ANCHORS = new RegExp(SECRET_SHAPES.map(({ anchor }) => anchor).join('|'), 'g');

const EXPRESSIONS = SECRET_SHAPES.map(({ anchor, start, before, secret, begun }) => ({
  anchor: new RegExp(anchor, 'y'),
  whole: new RegExp(`${start}(${before})${secret}`, 'y'),
  /**
   * Matches up to the secret's first letter. Whether the rest reaches the end of the text is computed once
   * per kind.
   */
  begins: new RegExp(
    `${start}(${before})${begun.not === undefined ? '' : `(?!${begun.not})`}${begun.of}`,
    'y',
  ),
  letter: new RegExp(begun.of),
  most: begun.most,
}));
type Expressions = (typeof EXPRESSIONS)[number];

/** Number of characters before a possible secret that are retained, so that the text that announces it is found. */
export const LONGEST_ANNOUNCEMENT = 1200;

/** Length beyond which an incomplete secret is no longer tracked. */
export const MOST_TRACKED = 16 * 1024;

/**
 * Longest text at the end of a secret that is searched for the announcement of another one, as in
 * `PASSWORD=x;TOKEN="y z"`. The limit keeps the time proportional to the length of the text.
 */
const INNER_ANNOUNCEMENT = 256;

/** Matches a character that may prevent a secret from beginning directly after it. */
const IN_WORD = /[\w-]/;

/** `isAfterGap`: whether a sequence precedes the letter at an index; a sequence may have erased an earlier letter. */
export function findIn(
  text: string,
  isWhole: boolean,
  isAfterGap: (index: number) => boolean = () => false,
): FoundSpans {
  const spans: Span[] = [];
  let covered: Span = { start: 0, end: 0 };
  let openFrom = text.length;
  const ends = new Ends(text);
  for (const { index } of text.matchAll(ANCHORS)) {
    // Only anchors within the secret are skipped: the text before it, such as a user name, may contain another one.
    if (index >= covered.start && index < covered.end - INNER_ANNOUNCEMENT) continue;
    const mayGoOn = !isWhole && text.length - index <= MOST_TRACKED;
    const isStart = isAfterGap(index) && IN_WORD.test(text.charAt(index - 1));
    const begun = mayGoOn ? spanFrom(text, index, ends, isStart) : null;
    const span = begun ?? spanFrom(text, index, null, isStart);
    if (!span) continue;
    if (index >= covered.start && span.end <= covered.end) continue;
    if (begun) openFrom = Math.min(openFrom, index);
    if (span.end > covered.end) covered = span;
    spans.push(span);
  }
  return { spans, openFrom };
}

/** `isStart`: a secret may begin at the index whatever precedes it. */
function spanFrom(text: string, index: number, ends: Ends | null, isStart: boolean): Span | null {
  const span = spanAt(text, index, ends);
  if (span || !isStart) return span;
  const alone = spanAt(text.slice(index), 0, ends?.after(index) ?? null);
  return alone && { start: index + alone.start, end: index + alone.end };
}

/**
 * Returns the range of the secret whose anchor is at the index, whatever its kind; null when there is none. `ends`:
 * null for complete secrets only, otherwise for incomplete secrets only.
 */
function spanAt(text: string, index: number, ends: Pick<Ends, 'from'> | null): Span | null {
  for (const shape of EXPRESSIONS) {
    shape.anchor.lastIndex = index;
    if (!shape.anchor.test(text)) continue;
    const expression = ends ? shape.begins : shape.whole;
    expression.lastIndex = index;
    const match = expression.exec(text);
    if (!match) continue;
    const start = index + (match[1] ?? '').length;
    if (!ends) return { start, end: index + match[0].length };
    if (start >= ends.from(shape)) return { start, end: text.length };
  }
  return null;
}

/** Caches, for each kind of secret, where the run of its letters at the end of the text starts. */
class Ends {
  readonly #text: string;
  readonly #from = new Map<Expressions, number>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns these starts for the text from an index on, relative to that index. */
  after(index: number): Pick<Ends, 'from'> {
    return { from: (shape) => this.from(shape) - index };
  }

  from(shape: Expressions): number {
    const known = this.#from.get(shape);
    if (known !== undefined) return known;
    const text = this.#text;
    let at = text.length;
    while (at > 0 && text.length - at < shape.most && shape.letter.test(text.charAt(at - 1))) at -= 1;
    this.#from.set(shape, at);
    return at;
  }
}
