// Printed text as the words that a terminal shows of it, and where in what was printed each of their letters stands.
import type { Span } from './masking.ts';

export interface WithoutControls {
  readonly plain: string;
  /** Where in the text each letter of `plain` stands. */
  readonly places: Uint32Array;
  /** What stands in the text for a span of `plain`: without sequences, with letters that were printed over. */
  readonly spread: (span: Span) => Span[];
}

// oxlint-disable-next-line no-control-regex -- these are control characters
const ANY = /[\u0000-\u0008\u000e-\u001f\u007f]/;

/** OSC and other strings, CSI, and the short ones, also one that has not ended; and single characters. */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000e-\u001f\u007f]/g;

/** After these the next letter stands elsewhere; all others leave it beside the last one, as colours do. */
// oxlint-disable-next-line no-control-regex -- these are control sequences
const MOVES = /^\u001b(?:[78DEMc]|\[[0-?]*[ -/]*[A-ILMSTZ`abdefrsu])$/;

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
