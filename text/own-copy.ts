// Copies values that outlive their message: a substring shares its parent's memory, so a short one may retain
// megabytes.

/** Returns a copy of a JSON value that shares no memory. */
export const ownCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Marks the end of truncated text; also lets the masking detect a secret that was cut off. */
export const CUT = '…';

/** Returns a copy, truncated with `…` after `chars` UTF-16 units. */
export const ownText = (text: string, chars = Number.POSITIVE_INFINITY): string =>
  ownCopy(cutTo(text, chars));

export const cutTo = (text: string, chars: number): string =>
  text.length > chars ? text.slice(0, chars) + CUT : text;
