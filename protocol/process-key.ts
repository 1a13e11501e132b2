// The form of a process key.

const KEY = /^[\w-]{1,28}$/;
/** Names that every object has. A set, because `in` stores each text for good in a table of the engine. */
const RESERVED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Returns true for text that can be a key. Keys become parts of paths and names of object members, so a name
 * that every object has, such as `__proto__`, is not accepted.
 */
export const isProcessKey = (text: string): boolean => KEY.test(text) && !RESERVED.has(text);
