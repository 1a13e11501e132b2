// Printed text as the words that a terminal shows, with the position of each letter in the printed text.
import type { Span } from './masking.ts';
import { noCellSource } from './no-cell.ts';

export interface WithoutControls {
  readonly plain: string;
  /** Index in the text of each letter of `plain`. */
  readonly places: Uint32Array;
  /** Returns the parts of the text for a span of `plain`: without sequences, with letters that were printed over. */
  readonly spread: (span: Span) => Span[];
  /** True when a letter is repeated (REP) that some terminals do not take for the last one printed. */
  readonly hasLooseRepeats: boolean;
}

/** Most copies of a letter for one REP; no secret has so many in a row. */
const MOST_REPEATS = 255;
/** Letters that all REPs make in all, for each one in the text. */
const REPEATED_PER_LETTER = 4;

/** Controls of C1 as characters, where they are no part of one in UTF-8, and as UTF-8. */
const C1 = String.raw`(?:\u00c2|(?<![\u0080-\u00f4]))`;
const C1_CONTROLS = [
  String.raw`${C1}[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`,
  String.raw`${C1}\u009b[0-?]*[ -/]*[@-~]?`,
  String.raw`${C1}[\u0080-\u009f]`,
].join('|');

const C0 = String.raw`[\u0000-\u0008\u000e-\u001f\u007f]`;
/** Most text has none of these. */
const ANY = new RegExp(`${C0}|[\\u0080-\\uffff]`);

/** OSC and other strings, CSI, and the short ones, also one that has not ended; and single characters. */
const SEQUENCES = String.raw`\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?`;

/** Created at first use. */
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

/** Sequences after which the next letter is elsewhere; all others, such as colours, leave it beside the last one. */
const MOVES =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /^(?:\u001b[8DEMc]|\u00c2?[\u0084\u0085\u008d]|(?:\u001b\[|\u00c2?\u009b)[0-?]*[ -/]*[A-ILMSTZ`adefru])$/;

const BACKSPACE = '\b';
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** The last letter once more, so many times; of several parameters the first counts. */
// oxlint-disable-next-line no-control-regex -- these are control sequences
const REPEAT = /^(?:\u001b\[|\u00c2?\u009b)(\d*)[\d;:]*b$/;
const ALL_REPEATS = /[[\u009b]\d*[\d;:]*b/g;

/**
 * Null when there is nothing to leave out. `repeatsAll`: a letter is repeated also with another sequence in between, as
 * xterm does and xterm.js does not.
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
  /** The last thing printed was a letter, which REP repeats. */
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
    // The next printed character replaces the last letter.
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

/** The number of letters that its REPs make, within the limit. */
function repeatsIn(text: string): number {
  let sum = 0;
  for (const [repeat] of text.matchAll(ALL_REPEATS))
    sum += Math.min(Math.max(1, Number(/\d+/.exec(repeat))), MOST_REPEATS);
  return Math.min(sum, REPEATED_PER_LETTER * text.length);
}

/** Number of arguments that is safe for one call of a function. */
const AT_ONCE = 8192;

function textOf(codes: Uint16Array): string {
  let text = '';
  for (let at = 0; at < codes.length; at += AT_ONCE)
    text += String.fromCharCode(...codes.subarray(at, at + AT_ONCE));
  return text;
}
