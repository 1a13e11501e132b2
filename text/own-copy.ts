// Copies of values that outlive their message: a part of a text shares all of its memory, so a short one may hold
// megabytes.

/** A copy, of JSON values, that shares memory with nothing else. */
export const ownCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The end of a text that was cut. A secret of which only the beginning is left is recognised by it. */
export const CUT = '…';

/** A copy; of a longer text that of its first `chars` UTF-16 units, with `…`. */
export const ownText = (text: string, chars = Number.POSITIVE_INFINITY): string =>
  ownCopy(cutTo(text, chars));

export const cutTo = (text: string, chars: number): string =>
  text.length > chars ? text.slice(0, chars) + CUT : text;
