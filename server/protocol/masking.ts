// Finds secrets in text, whole or as far as they have come, and covers them with as many characters as they have.
import { SECRET_SHAPES } from './secret-shapes.ts';

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
  begun: new RegExp(`${start}(${before})${begun}$`, 'y'),
}));

/** Longer than any that has begun and is still looked for. */
export const LONGEST_SECRET = 16 * 1024;

/** As much as may stand before a secret, so that an announcement that was cut is recognised. */
export const LONGEST_ANNOUNCEMENT = 1200;

/**
 * What stands at the end of the text and may be the beginning of a secret is covered, unless the text is known to be
 * `isWhole`: too much rather than too little.
 */
export function findSecrets(text: string, { isWhole = false } = {}): Found {
  const found = findIn(text, isWhole);
  if (!text.includes('\u001b')) return found;
  // A word may be printed in several colours, and a terminal's lines are told with colours at their ends.
  const { plain, places } = withoutColours(text);
  const more = findIn(plain, isWhole);
  return {
    spans: [...found.spans, ...more.spans.flatMap((span) => spread(span, places))],
    openFrom: Math.min(found.openFrom, places[more.openFrom] ?? text.length),
  };
}

/** Sequences that leave the next letter where it is; also one that has not ended. */
// oxlint-disable-next-line no-control-regex -- these are control sequences
const COLOURS = /\u001b\[[0-9;:]*[mK]|\u001b(?:\[[0-9;:]*)?$/g;

/** `places`: where in the text each letter of what is left stands. */
function withoutColours(text: string): { readonly plain: string; readonly places: Uint32Array } {
  const places = new Uint32Array(text.length);
  let plain = '';
  let from = 0;
  const take = (to: number): void => {
    for (let at = from; at < to; at += 1) places[plain.length + at - from] = at;
    plain += text.slice(from, to);
  };
  for (const { index, 0: sequence } of text.matchAll(COLOURS)) {
    take(index);
    from = index + sequence.length;
  }
  take(text.length);
  return { plain, places: places.subarray(0, plain.length) };
}

/** The pieces of a span of what was left, in the text itself. */
function spread({ start, end }: Span, places: Uint32Array): Span[] {
  const pieces: Span[] = [];
  for (let at = start; at < end; at += 1) {
    const place = places[at] ?? 0;
    const last = pieces.at(-1);
    if (last?.end === place) pieces[pieces.length - 1] = { start: last.start, end: place + 1 };
    else pieces.push({ start: place, end: place + 1 });
  }
  return pieces;
}

function findIn(text: string, isWhole: boolean): Found {
  const spans: Span[] = [];
  let covered: Span = { start: 0, end: 0 };
  let openFrom = text.length;
  for (const { index } of text.matchAll(ANCHORS)) {
    // What announces one secret, as a user's name does, may hold another.
    if (index >= covered.start && index < covered.end) continue;
    const mayGoOn = !isWhole && text.length - index <= LONGEST_SECRET;
    const begun = mayGoOn ? spanAt(text, index, 'begun') : null;
    const span = begun ?? spanAt(text, index, 'whole');
    if (!span) continue;
    if (begun) openFrom = Math.min(openFrom, index);
    if (span.end > covered.end) covered = span;
    spans.push(span);
  }
  return { spans, openFrom };
}

/** Several kinds may begin alike. */
function spanAt(text: string, index: number, how: 'whole' | 'begun'): Span | null {
  for (const shape of EXPRESSIONS) {
    shape.anchor.lastIndex = index;
    if (!shape.anchor.test(text)) continue;
    shape[how].lastIndex = index;
    const match = shape[how].exec(text);
    if (match) return { start: index + (match[1] ?? '').length, end: index + match[0].length };
  }
  return null;
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
  let result = text;
  for (const { start, end } of spans) {
    // oxlint-disable-next-line no-control-regex -- these are what is left
    const cover = result.slice(start, end).replaceAll(/[^\u0000-\u0020]/g, COVER);
    result = result.slice(0, start) + cover + result.slice(end);
  }
  return result;
}

/** A text that is whole. */
export function masked(text: string): string {
  const { spans } = findSecrets(text, { isWhole: true });
  return spans.length === 0 ? text : covered(text, spans);
}
