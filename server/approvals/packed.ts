// Retains the large params of a waiting request as text, because thousands of short environment variables, once parsed,
// take many times the size of their message.

/** Minimum length of a member's text; a shorter member stays as it is. */
const LEAST_CHARS = 1024;

/**
 * Replaces each large member that is not a string with its text, which is parsed whenever the member is read. Returns
 * the length of all members in characters. The command (`argv`) is not replaced, because the shown request shares it.
 */
export function pack(params: object): number {
  let chars = 0;
  for (const [name, value] of Object.entries(params) as [string, unknown][]) {
    const isText = typeof value === 'string';
    const text = isText ? value : (JSON.stringify(value) ?? '');
    chars += text.length;
    if (isText || name === 'argv' || text.length < LEAST_CHARS) continue;
    const get = (): unknown => JSON.parse(text);
    Object.defineProperty(params, name, { get, enumerable: true, configurable: true });
  }
  return chars;
}
