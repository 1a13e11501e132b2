// Shortens texts with the same beginning to the start of their first word and their difference: `cd… npm test`.
import { cutIndex, headOf } from '../../../text/cut.ts';

/** Lengths that decide how a text is shortened. */
export interface Room {
  /** Characters read at a glance: a difference that starts within these is noticed. */
  readonly glance: number;
  /** Minimum number of characters shown before the difference, as context. */
  readonly before: number;
}

export const WIDE: Room = { glance: 16, before: 10 };
/** Fits labels with room for about a dozen letters. */
export const NARROW: Room = { glance: 8, before: 0 };

/** Maximum number of characters shown from the beginning, to show the kind of text. */
const HEAD = 8;
/** Minimum number of characters worth omitting, since the ellipsis also takes space. */
const WORTH = 6;

/** Returns a map from each text to its shortened form, which may be the text itself. */
export function distinctTexts(texts: Iterable<string>, room = WIDE): ReadonlyMap<string, string> {
  const sorted = [...new Set(texts)].toSorted();
  const shared = sorted.map((text, index) => sharedLength(sorted[index - 1] ?? '', text));
  return new Map(
    sorted.map((text, index) => {
      const differsAt = Math.max(shared[index] ?? 0, shared[index + 1] ?? 0);
      return [text, shortened(text, differsAt, room)];
    }),
  );
}

/** Shortens a text that equals another one up to `differsAt`. */
function shortened(text: string, differsAt: number, { glance, before }: Room): string {
  if (differsAt <= glance) return text;
  const head = /^\S*/.exec(headOf(text, HEAD))?.[0] ?? '';
  const from = text.slice(0, differsAt - before).lastIndexOf(' ') + 1;
  // A word that begins far before the difference is cut inside.
  const start = differsAt - from > before + glance ? cutIndex(text, differsAt - before) : from;
  return start - head.length < WORTH ? text : `${head}… ${text.slice(start)}`;
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}
