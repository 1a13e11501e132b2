// Copies values that outlive their message: a substring shares its parent's memory, so a short one may retain
// megabytes.
import { cutTo } from './cut.ts';

/** Returns a copy of a JSON value that shares no memory with the original. */
export const ownCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Returns a copy of a text, truncated with `…` after at most `chars` UTF-16 units. */
export const ownText = (text: string, chars = Number.POSITIVE_INFINITY): string =>
  ownCopy(cutTo(text, chars));
