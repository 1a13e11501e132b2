// Finds secrets in text, whole or as far as they have come, and covers them with as many characters as they have.
import { SECRET_SHAPES } from './secret-shapes.ts';
import { withoutControls } from './without-controls.ts';

/** From one place in a text up to another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Found {
  /** What is to be covered. */
  readonly spans: readonly Span[];
  /** Where something begins that what follows the text may still make a secret; its length when nothing does. */
  readonly openFrom: number;
}

/** All of a text is looked through only for how they begin; most text has none of it. */
const ANCHORS = new RegExp(SECRET_SHAPES.map(({ anchor }) => anchor).join('|'), 'g');

const EXPRESSIONS = SECRET_SHAPES.map(({ anchor, start, before, secret, begun }) => ({
  anchor: new RegExp(anchor, 'y'),
  whole: new RegExp(`${start}(${before})${secret}`, 'y'),
  /** Up to its first letter: that the others go on to the end of the text is found out once for all of a kind. */
  begins: new RegExp(
    `${start}(${before})${begun.not === undefined ? '' : `(?!${begun.not})`}${begun.of}`,
    'y',
  ),
  letter: new RegExp(begun.of),
  most: begun.most,
}));
type Expressions = (typeof EXPRESSIONS)[number];

/** Longer than any that has begun and is still looked for. */
export const LONGEST_SECRET = 16 * 1024;

/** The same with the colours in it; who prints more of them prints no secret that a person could copy. */
const LONGEST_OPEN = 4 * LONGEST_SECRET;

/** As much as may stand before a secret, so that an announcement that was cut is recognised. */
export const LONGEST_ANNOUNCEMENT = 1200;

export interface Where {
  /** Nothing follows: what stands at the end is all there is of it. */
  readonly isWhole?: boolean;
  /** What stood before it is not known: above a screen (`lines`), or trimmed anywhere (`letters`). */
  readonly cutOff?: 'lines' | 'letters' | null;
}

/**
 * What stands at the end of the text and may be the beginning of a secret is covered, unless the text is known to be
 * `isWhole`: too much rather than too little.
 */
export function findSecrets(text: string, { isWhole = false, cutOff = null }: Where = {}): Found {
  const found = findIn(text, isWhole);
  // A word may be printed in several colours, and a terminal's lines are told with colours at their ends.
  const shown = withoutControls(text);
  const more = shown && findIn(shown.plain, isWhole);
  const other = shown?.hasLooseRepeats ? withoutControls(text, true) : null;
  const repeated = other && findIn(other.plain, isWhole).spans.flatMap(other.spread);
  const rests = keyRests(shown?.plain ?? text, cutOff);
  const openFrom = Math.min(found.openFrom, (more && shown.places[more.openFrom]) ?? text.length);
  // What has been cut off at its beginning may go on after the end.
  const isAllRest =
    !isWhole && cutOff === 'letters' && rests.some(({ end }) => end === (shown?.plain ?? text).length);
  const inPlain = [...(more?.spans ?? []), ...rests];
  return {
    spans: [...found.spans, ...(shown ? inPlain.flatMap(shown.spread) : inPlain), ...(repeated ?? [])],
    openFrom:
      isAllRest && text.length <= LONGEST_SECRET
        ? 0
        : text.length - openFrom <= LONGEST_OPEN
          ? openFrom
          : text.length,
  };
}

function findIn(text: string, isWhole: boolean): Found {
  const spans: Span[] = [];
  let covered: Span = { start: 0, end: 0 };
  let openFrom = text.length;
  const ends = new Ends(text);
  for (const { index } of text.matchAll(ANCHORS)) {
    // What announces one secret, as a user's name does, may hold another.
    if (index >= covered.start && index < covered.end) continue;
    const mayGoOn = !isWhole && text.length - index <= LONGEST_SECRET;
    const begun = mayGoOn ? spanAt(text, index, ends) : null;
    const span = begun ?? spanAt(text, index, null);
    if (!span) continue;
    if (begun) openFrom = Math.min(openFrom, index);
    if (span.end > covered.end) covered = span;
    spans.push(span);
  }
  return { spans, openFrom };
}

/** Several kinds may begin alike. `ends`: of what has only begun. */
function spanAt(text: string, index: number, ends: Ends | null): Span | null {
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

/** From where on a text has nothing but the letters of a secret, for each kind: looked for once, however often it begins. */
class Ends {
  readonly #text: string;
  readonly #from = new Map<Expressions, number>();

  constructor(text: string) {
    this.#text = text;
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

/** Lines of a private key, of which nothing else is on a line. */
const KEY_LINES = String.raw`(?:[A-Za-z0-9+/=]{60,76}(?:\s{1,4}|$))`;
const CUT_OFF = {
  lines: new RegExp(
    String.raw`^\s{0,4}(?:[A-Za-z0-9+/=]{1,76}\s{1,4})?(?:${KEY_LINES}{2,200}(?:[A-Za-z0-9+/=]{1,76}(?=\s{0,4}$))?|[A-Za-z0-9+/=]{120,12000})`,
  ),
  letters: new RegExp(
    String.raw`^[^\u0000-\u0020\u007f]{0,4096}(?:\s{1,4}(?:${KEY_LINES}{1,200}(?:[A-Za-z0-9+/=]{1,76}$)?)?)?`,
  ),
};
const KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY/g;
const KEY_LETTER = /[A-Za-z0-9+/=\s\\]/;
const LONGEST_KEY = 12_000;

/** What is left of private keys whose beginnings are not there, and of any word at a place where a text was cut off. */
function keyRests(text: string, cutOff: Where['cutOff']): Span[] {
  const rests: Span[] = [];
  const first = cutOff ? CUT_OFF[cutOff].exec(text) : null;
  if (first?.[0]) rests.push({ start: 0, end: first[0].length });
  for (const { index } of text.matchAll(KEY_END)) {
    let start = index;
    while (start > 0 && index - start < LONGEST_KEY && KEY_LETTER.test(text.charAt(start - 1))) start -= 1;
    // With its beginning it has been found already.
    const before = text.slice(Math.max(0, start - LONGEST_ANNOUNCEMENT), start);
    if (before.lastIndexOf('-----BEGIN ') <= before.lastIndexOf('-----END '))
      rests.push({ start, end: index });
  }
  return rests;
}

/** What one stream prints, piece after piece: a secret may be cut anywhere. */
export class SecretStream {
  /** As far as it can matter for what comes. */
  #before = '';

  /** What is to be covered in the next piece. */
  next(piece: string): readonly Span[] {
    const offset = this.#before.length;
    const text = this.#before + piece;
    const { spans, openFrom } = findSecrets(text);
    this.#before = text.slice(Math.max(0, openFrom - LONGEST_ANNOUNCEMENT));
    return spans
      .filter(({ end }) => end > offset)
      .map(({ start, end }) => ({ start: Math.max(0, start - offset), end: end - offset }));
  }
}

const COVER = '*';

/** With as many characters in its place; what divides lines and words of a long secret stays. */
export function covered(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    // oxlint-disable-next-line no-control-regex -- these are what is left
    pieces.push(text.slice(at, from), text.slice(from, end).replaceAll(/[^\u0000-\u0020]/g, COVER));
    at = end;
  }
  return pieces.join('') + text.slice(at);
}

/** A text that is whole. */
export function masked(text: string): string {
  const { spans } = findSecrets(text, { isWhole: true });
  return spans.length === 0 ? text : covered(text, spans);
}
