// What a token may be called: it is who people see, so nothing hidden is in it, and nobody passes for another.
import { visible } from '../../text/visible.ts';

const LONGEST_NAME = 64;

/** Names that the gateway gives (also with a number), and words of a page for people that it does not name. */
const TAKEN =
  /^(?:(?:cli|page|token file|gateway|console|stdio|somebody|nobody|everybody|guest)(?: ?\d+)?|you(?:, in another tab)?|without a token)$/;
const LATIN = /\p{Script=Latin}/u;
/** Scripts with letters that look like those of Latin. */
const OTHER =
  /[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;

/** Null when it will do; else a sentence. */
export function whyNoName(name: string): string | null {
  const isSeen = visible(name) === name && !/[\p{Co}\p{Cn}]/u.test(name) && name.trim() === name;
  if (!isSeen || name === '' || name.length > LONGEST_NAME)
    return `a name is what people see: at most ${LONGEST_NAME} characters, none of them hidden`;
  const words = plain(name).split(' ');
  if (words.some((word) => LATIN.test(word) && OTHER.test(word)))
    return `in the name ${name} letters of several scripts make one word`;
  return TAKEN.test(words.join(' ')) ? `the name ${name} is the gateway’s own` : null;
}

/** Without what people overlook: case, width, accents, and how words are kept apart. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}\p{Pc}.#]+/gu, ' ')
    .trim();
