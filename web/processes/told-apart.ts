// Texts that begin alike, each shortened to its first words and what differs: `cd… npm test`.

/** What is read of a text at a glance: a difference that begins in it is seen. */
const GLANCE = 16;
/** So much of the beginning stays, to say what kind it is. */
const HEAD = 8;
/** So much stands before the difference, to say where it is. */
const BEFORE = 10;
/** Fewer letters are not worth a sign that they are left out. */
const WORTH = 6;

/** By text; those that need no shortening stand for themselves. */
export function toldApart(texts: Iterable<string>): ReadonlyMap<string, string> {
  const sorted = [...new Set(texts)].toSorted();
  const shared = sorted.map((text, index) => sharedLength(sorted[index - 1] ?? '', text));
  return new Map(
    sorted.map((text, index) => [text, told(text, Math.max(shared[index] ?? 0, shared[index + 1] ?? 0))]),
  );
}

/** `differsAt`: before it everything is as in another text. */
function told(text: string, differsAt: number): string {
  if (differsAt <= GLANCE) return text;
  const head = /^\S*/.exec(text.slice(0, HEAD))?.[0] ?? '';
  const from = text.slice(0, differsAt - BEFORE).lastIndexOf(' ') + 1;
  // A long word is cut where it must be.
  const start = differsAt - from > BEFORE + GLANCE ? differsAt - BEFORE : from;
  return start - head.length < WORTH ? text : `${head}… ${text.slice(start)}`;
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}
