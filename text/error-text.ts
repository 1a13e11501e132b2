// Converts thrown values to sentences.
import { capitalized } from './capitalized.ts';
import { visible } from './visible.ts';

/** Prefixes of a gateway's error: the method, and the path of a field. */
const METHOD = /^(?:approvals|command|console|environment|environmentConfig|fs|http|process)\/\w+: /;
const FIELD = /^params(?:[.[][\w\][-]+)*?(?:\.?(\w+|\w+\[\d+\]))?(?:: | (?=has ))/;
/** Start of a message that needs the field's name as its subject. */
const ABOUT_IT = /^(?:has|is|must) /;
const OF_A_SCHEMA = /^(?:Invalid|Too|Unrecognized) /;
/** Start of a text whose first word is plain, so not a path, a flag or a name from code such as `argv[2]`. */
const PLAIN_WORD = /^(?!exec-console\b)[a-z]+(?:[’'-][a-z]+)*(?=[\s:,;]|$)/;

/** Predicate about a process whose key the gateway does not know any more. */
export const NO_LONGER_EXISTS =
  'no longer exists: it was evicted, its recording was removed, or it was lost in a restart of the gateway';

/**
 * Returns an error's message for use after a colon, with hidden characters escaped, since it may contain text from
 * outside; `errorSentence` returns it as a sentence.
 */
export const errorText = (error: unknown): string =>
  visible(plainReason(error instanceof Error ? error.message : String(error)));

/** Returns an error as a sentence of its own, such as `Folder /x does not exist`. */
export const errorSentence = (error: unknown): string => asSentence(errorText(error));

/** Begins a text with a capital, unless its first word is a path, a flag or a name from code. */
export const asSentence = (text: string): string => (PLAIN_WORD.test(text) ? capitalized(text) : text);

/**
 * Returns a gateway's error without its method and field path, which only developers understand; the last name of the
 * path remains where the sentence needs it.
 */
export function plainReason(message: string): string {
  const words = message.replace(METHOD, '');
  const [address, field] = FIELD.exec(words) ?? [''];
  const rest = words.slice(address.length);
  if (field === undefined) return rest;
  if (ABOUT_IT.test(rest)) return `${field} ${rest}`;
  return OF_A_SCHEMA.test(rest) ? `${field}: ${rest}` : rest;
}
