// Any thrown value as a sentence.
import { visible } from './visible.ts';

/** A method, and a field of its params, before the words of a gateway's error. */
const METHOD = /^(?:approvals|command|console|environment|environmentConfig|fs|http|process)\/\w+: /;
const FIELD = /^params(?:[.[][\w\][-]+)*?(?:\.?(\w+|\w+\[\d+\]))?(?:: | (?=has ))/;
/** Words that are about the field, so that they need its name. */
const ABOUT_IT = /^(?:has|is|must) /;
const OF_A_SCHEMA = /^(?:Invalid|Too|Unrecognized) /;

/** Returns a sentence that is safe to show: an error may contain text from outside. */
export const errorText = (error: unknown): string =>
  visible(plainReason(error instanceof Error ? error.message : String(error)));

/** Returns the words of a gateway's error without what only its programs know: the method, and the path of a field. */
export function plainReason(message: string): string {
  const words = message.replace(METHOD, '');
  const [address, field] = FIELD.exec(words) ?? [''];
  const rest = words.slice(address.length);
  if (field === undefined) return rest;
  if (ABOUT_IT.test(rest)) return `${field} ${rest}`;
  return OF_A_SCHEMA.test(rest) ? `${field}: ${rest}` : rest;
}
