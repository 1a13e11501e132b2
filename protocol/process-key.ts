// The key of a process, as far as its text shows it.

const KEY = /^[\w-]{1,28}$/;

/**
 * Returns true for text that can be a key, which may become part of a path and a member's name: a name such as
 * `__proto__`, which every object has, cannot.
 */
export const isProcessKey = (text: string): boolean => KEY.test(text) && !(text in Object.prototype);
