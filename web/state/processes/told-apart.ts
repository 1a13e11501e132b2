// Texts that begin alike, each shortened to its first words and what differs: `cd… npm test`.

/** How much room there is for what differs. */
export interface Room {
  /** What is read of a text at a glance: a difference that begins in it is seen. */
  readonly glance: number;
  /** So much stands before the difference, to say where it is. */
  readonly before: number;
}

export const WIDE: Room = { glance: 16, before: 10 };
/** A dozen letters in all. */
export const NARROW: Room = { glance: 8, before: 0 };

/** So much of the beginning stays, to say what kind it is. */
const HEAD = 8;
/** Fewer letters are not worth a sign that they are left out. */
const WORTH = 6;

/** By text; those that need no shortening stand for themselves. */
export function toldApart(texts: Iterable<string>, room = WIDE): ReadonlyMap<string, string> {
  const sorted = [...new Set(texts)].toSorted();
  const shared = sorted.map((text, index) => sharedLength(sorted[index - 1] ?? '', text));
  return new Map(
    sorted.map((text, index) => {
      const differsAt = Math.max(shared[index] ?? 0, shared[index + 1] ?? 0);
      return [text, told(text, differsAt, room)];
    }),
  );
}

/** `differsAt`: before it everything is as in another text. */
function told(text: string, differsAt: number, { glance, before }: Room): string {
  if (differsAt <= glance) return text;
  const head = /^\S*/.exec(text.slice(0, HEAD))?.[0] ?? '';
  const from = text.slice(0, differsAt - before).lastIndexOf(' ') + 1;
  // A long word is cut where it must be.
  const start = differsAt - from > before + glance ? differsAt - before : from;
  return start - head.length < WORTH ? text : `${head}… ${text.slice(start)}`;
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}
