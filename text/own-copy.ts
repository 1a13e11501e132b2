// Copies of values that outlive their message: a part of a text shares all of its memory, so a short one may hold
// megabytes.

/** A copy, of JSON values, that shares memory with nothing else. */
export const ownCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** A copy of the first `chars` UTF-16 units. */
export const ownText = (text: string, chars = Number.POSITIVE_INFINITY): string =>
  ownCopy(text.length > chars ? text.slice(0, chars) : text);
