// Printed text as the words that a terminal shows of it, and where in what was printed each of their letters stands.
import type { Span } from './masking.ts';

export interface WithoutControls {
  readonly plain: string;
  /** Where in the text each letter of `plain` stands. */
  readonly places: Uint32Array;
  /** What stands in the text for a span of `plain`: without sequences, with letters that were printed over. */
  readonly spread: (span: Span) => Span[];
}

/**
 * Characters that take no cell: marks, joiners, directions, variation selectors, tags. A terminal shows the letters around one
 * beside each other. Output is looked through as bytes too, each as one character: so also as their bytes in UTF-8, of which
 * the end may be missing yet.
 */
const NO_CELL = [
  String.raw`[\u00ad\u0300-\u036f\u0483-\u0489\u061c\u1ab0-\u1aff\u1dc0-\u1dff\u180b-\u180f\u200b-\u200f]`,
  String.raw`[\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]`,
  String.raw`\u00c2\u00ad|\u00cc[\u0080-\u00bf]|\u00cd[\u0080-\u00af]|\u00d2[\u0083-\u0089]|\u00d8\u009c`,
  String.raw`\u00e1(?:\u00a0[\u008b-\u008f]|\u00aa[\u00b0-\u00bf]|\u00ab[\u0080-\u00bf]|\u00b7[\u0080-\u00bf])`,
  String.raw`\u00e2(?:\u0080[\u008b-\u008f\u00aa-\u00ae]|\u0081[\u00a0-\u00af]|\u0083[\u0090-\u00bf])`,
  String.raw`\u00ef(?:\u00b8[\u0080-\u008f\u00a0-\u00af]|\u00bb\u00bf|\u00bf[\u00b9-\u00bb])`,
  String.raw`\u00f3\u00a0[\u0080-\u00bf][\u0080-\u00bf]`,
  String.raw`(?:[\u00c2\u00cc\u00cd\u00d2\u00d8]|\u00e1[\u00a0\u00aa\u00ab\u00b7]?|\u00e2[\u0080\u0081\u0083]?)$`,
  String.raw`(?:\u00ef[\u00b8\u00bb\u00bf]?|\u00f3(?:\u00a0[\u0080-\u00bf]?)?)$`,
].join('|');

/** Controls of C1 as characters, where they are no part of one in UTF-8, and as UTF-8. */
const C1 = String.raw`(?:\u00c2|(?<![\u0080-\u00f4]))`;
const C1_CONTROLS = [
  String.raw`${C1}[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?`,
  String.raw`${C1}\u009b[0-?]*[ -/]*[@-~]?`,
  String.raw`${C1}[\u0080-\u009f]`,
].join('|');

const C0 = String.raw`[\u0000-\u0008\u000e-\u001f\u007f]`;
const ANY = new RegExp(`${C0}|${C1}[\\u0080-\\u009f]|${NO_CELL}`);

/** OSC and other strings, CSI, and the short ones, also one that has not ended; and single characters. */
const CONTROLS = new RegExp(
  [
    String.raw`\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?`,
    C0,
    C1_CONTROLS,
    NO_CELL,
  ].join('|'),
  'g',
);

/** After these the next letter stands elsewhere; all others leave it beside the last one, as colours do. */
const MOVES =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /^(?:\u001b[78DEMc]|\u00c2?[\u0084\u0085\u008d]|(?:\u001b\[|\u00c2?\u009b)[0-?]*[ -/]*[A-ILMSTZ`abdefrsu])$/;

const BACKSPACE = '\b';
const LINE_FEED = 0x0a;

/** Null when there is nothing to leave out. */
export function withoutControls(text: string): WithoutControls | null {
  if (!ANY.test(text)) return null;
  const codes = new Uint16Array(text.length);
  const places = new Uint32Array(text.length);
  const isControl = new Uint8Array(text.length);
  let length = 0;
  const add = (code: number, place: number): void => {
    codes[length] = code;
    places[length] = place;
    length += 1;
  };
  let from = 0;
  const take = (to: number): void => {
    for (; from < to; from += 1) add(text.charCodeAt(from), from);
  };
  for (const { index, 0: sequence } of text.matchAll(CONTROLS)) {
    take(index);
    from = index + sequence.length;
    isControl.fill(1, index, from);
    // What is printed next takes the place of the last letter.
    if (sequence === BACKSPACE) length -= length > 0 && codes[length - 1] !== LINE_FEED ? 1 : 0;
    else if (MOVES.test(sequence)) add(LINE_FEED, index);
  }
  take(text.length);
  return {
    plain: textOf(codes.subarray(0, length)),
    places: places.subarray(0, length),
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

/** As many as a function may safely be given. */
const AT_ONCE = 8192;

function textOf(codes: Uint16Array): string {
  let text = '';
  for (let at = 0; at < codes.length; at += AT_ONCE)
    text += String.fromCharCode(...codes.subarray(at, at + AT_ONCE));
  return text;
}
