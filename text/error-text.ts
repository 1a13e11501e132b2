// Converts thrown values to sentences.
import { visible } from './visible.ts';

/** Prefixes of a gateway's error: the method, and the path of a field. */
const METHOD = /^(?:approvals|command|console|environment|environmentConfig|fs|http|process)\/\w+: /;
const FIELD = /^params(?:[.[][\w\][-]+)*?(?:\.?(\w+|\w+\[\d+\]))?(?:: | (?=has ))/;
/** Start of a message that needs the field's name as its subject. */
const ABOUT_IT = /^(?:has|is|must) /;
const OF_A_SCHEMA = /^(?:Invalid|Too|Unrecognized) /;

/** Returns a sentence that is safe to show, since an error may contain text from outside. */
export const errorText = (error: unknown): string =>
  visible(plainReason(error instanceof Error ? error.message : String(error)));

/** Returns a gateway's error without the parts that only developers understand: method and field path. */
export function plainReason(message: string): string {
  const words = message.replace(METHOD, '');
  const [address, field] = FIELD.exec(words) ?? [''];
  const rest = words.slice(address.length);
  if (field === undefined) return rest;
  if (ABOUT_IT.test(rest)) return `${field} ${rest}`;
  return OF_A_SCHEMA.test(rest) ? `${field}: ${rest}` : rest;
}
