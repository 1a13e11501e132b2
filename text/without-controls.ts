// Extracts the text that a terminal shows from printed text, with the position of each letter.
import type { Span } from './masking.ts';
import { noCellSource } from './no-cell.ts';

export interface WithoutControls {
  readonly plain: string;
  /** Index in the printed text of each letter of `plain`. */
  readonly places: Uint32Array;
  /**
   * Returns the parts of the printed text for a span of `plain`, without sequences but with overprinted
   * letters.
   */
  readonly spread: (span: Span) => Span[];
  /** True if a repetition (REP) follows something that some terminals do not repeat. */
  readonly hasLooseRepeats: boolean;
}

/** Maximum number of copies per REP; no secret has so many equal letters in a row. */
const MOST_REPEATS = 255;
/** Maximum number of letters produced by all REPs together, per letter of the text. */
const REPEATED_PER_LETTER = 4;

/** Prefix of C1 controls, as characters outside of UTF-8 or encoded in UTF-8. */
const C1 = String.raw`(?:\u00c2|(?<![\u0080-\u00f4]))`;
const C1_CONTROLS = [
  String.raw`${C1}[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`,
  String.raw`${C1}\u009b[0-?]*[ -/]*[@-~]?`,
  String.raw`${C1}[\u0080-\u009f]`,
].join('|');

const C0 = String.raw`[\u0000-\u0008\u000e-\u001f\u007f]`;
/** Quick check: most text contains none of these. */
const ANY = new RegExp(`${C0}|[\\u0080-\\uffff]`);

/** OSC and other strings, CSI, and short sequences, also if incomplete; and single characters. */
const SEQUENCES = String.raw`\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?`;

/** Expressions, compiled on first use. */
let controls: { readonly all: RegExp; readonly noCell: RegExp } | null = null;
function expressions(): NonNullable<typeof controls> {
  if (controls === null) {
    const noCell = noCellSource();
    controls = {
      all: new RegExp([SEQUENCES, C0, C1_CONTROLS, noCell].join('|'), 'g'),
      noCell: new RegExp(`^(?:${noCell})$`),
    };
  }
  return controls;
}

/**
 * Sequences that move the cursor elsewhere; after others, such as colours, the next letter is adjacent to the
 * last.
 */
const MOVES =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /^(?:\u001b[8DEMc]|\u00c2?[\u0084\u0085\u008d]|(?:\u001b\[|\u00c2?\u009b)[0-?]*[ -/]*[A-ILMSTZ`adefru])$/;

const BACKSPACE = '\b';
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** Repeats the last letter (REP); the first parameter is the count. */
// oxlint-disable-next-line no-control-regex -- these are control sequences
const REPEAT = /^(?:\u001b\[|\u00c2?\u009b)(\d*)[\d;:]*b$/;
const ALL_REPEATS = /[[\u009b]\d*[\d;:]*b/g;

/**
 * Returns null when there is nothing to remove. `repeatsAll`: also repeat a letter across other sequences, as
 * xterm does but xterm.js does not.
 */
export function withoutControls(text: string, repeatsAll = false): WithoutControls | null {
  if (!ANY.test(text)) return null;
  const { all, noCell } = expressions();
  let repeatsLeft = repeatsIn(text);
  const codes = new Uint16Array(text.length + repeatsLeft);
  const places = new Uint32Array(codes.length);
  const isControl = new Uint8Array(text.length);
  let length = 0;
  const add = (code: number, place: number): void => {
    codes[length] = code;
    places[length] = place;
    length += 1;
  };
  let from = 0;
  /** True if the last thing printed was a letter, so that REP repeats it. */
  let afterLetter = false;
  let hasLooseRepeats = false;
  const take = (to: number): void => {
    if (from < to) afterLetter = text.charCodeAt(to - 1) >= SPACE;
    for (; from < to; from += 1) add(text.charCodeAt(from), from);
  };
  for (const { index, 0: sequence } of text.matchAll(all)) {
    take(index);
    from = index + sequence.length;
    isControl.fill(1, index, from);
    const repeated = REPEAT.exec(sequence);
    if (repeated) {
      const last = codes[length - 1] ?? LINE_FEED;
      hasLooseRepeats ||= !afterLetter;
      const times = Math.min(Math.max(1, Number(repeated[1])), MOST_REPEATS, repeatsLeft);
      if (length > 0 && last >= SPACE && (afterLetter || repeatsAll)) {
        repeatsLeft -= times;
        for (let time = 0; time < times; time += 1) add(last, index);
      }
    }
    // The next printed character overwrites the last letter.
    else if (sequence === BACKSPACE) length -= length > 0 && codes[length - 1] !== LINE_FEED ? 1 : 0;
    else if (MOVES.test(sequence)) add(LINE_FEED, index);
    afterLetter &&= noCell.test(sequence);
  }
  if (from === 0) return null;
  take(text.length);
  return {
    plain: textOf(codes.subarray(0, length)),
    places: places.subarray(0, length),
    hasLooseRepeats,
    spread({ start, end }) {
      const first = start === 0 ? 0 : (places[start - 1] ?? 0) + 1;
      const last = places[end - 1] ?? first;
      const pieces: Span[] = [];
      for (let at = first; at <= last; at += 1) {
        if (isControl[at] === 1) continue;
        const piece = at;
        while (at < last && isControl[at + 1] !== 1) at += 1;
        pieces.push({ start: piece, end: at + 1 });
      }
      return pieces;
    },
  };
}

/** Returns the number of letters produced by REPs, within the limit. */
function repeatsIn(text: string): number {
  let sum = 0;
  for (const [repeat] of text.matchAll(ALL_REPEATS))
    sum += Math.min(Math.max(1, Number(/\d+/.exec(repeat))), MOST_REPEATS);
  return Math.min(sum, REPEATED_PER_LETTER * text.length);
}

/** Number of arguments that one call can safely take. */
const AT_ONCE = 8192;

function textOf(codes: Uint16Array): string {
  let text = '';
  for (let at = 0; at < codes.length; at += AT_ONCE)
    text += String.fromCharCode(...codes.subarray(at, at + AT_ONCE));
  return text;
}
