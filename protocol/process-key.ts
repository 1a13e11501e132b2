// Checks that a text has the form of a process key.

const KEY = /^[\w-]{1,28}$/;
/**
 * Names of members that every object has. A set, because the JavaScript engine permanently interns each text that
 * is tested with `in`.
 */
const RESERVED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Returns true for text that can be a key. Keys become parts of paths and names of object members, so the
 * name of a member that every object has, such as `__proto__`, is not accepted.
 */
export const isProcessKey = (text: string): boolean => KEY.test(text) && !RESERVED.has(text);
