// Checks names of tokens: no hidden characters, no mixed scripts in a word, and no name that looks like a reserved one.
import { visible } from '../../text/visible.ts';

const LONGEST_NAME = 64;

/** Names that the gateway assigns, with or without a number, and the page's words for people without a name. */
const TAKEN = [
  'cli',
  'operator',
  'observer',
  'admin',
  // Earlier versions assigned this name.
  'page',
  'token file',
  'gateway',
  'console',
  'stdio',
  'somebody',
  'nobody',
  'everybody',
  'guest',
  'you',
  'you, in another tab',
  'without a token',
];

/** Groups of characters that look alike, each with the Latin letter first. */
const LOOKALIKES = [
  'aаαᴀɑ',
  'bЬʙ',
  'cсᴄϲ',
  'dԁᴅ',
  'eеᴇ',
  'gɡɢց',
  'hһʜհ',
  'kкᴋκ',
  'lӏіıιɩɪʟιj1|!ⅼյ',
  'mмᴍ',
  'nпɴηո',
  'oоοᴏօ0',
  'pрρᴘ',
  'sѕꜱ',
  'tтᴛτ',
  'uυᴜսц',
  'wԝᴡω',
  'xхχ',
  'yуʏγ',
];
const LOOKS_LIKE = new Map(
  LOOKALIKES.flatMap(([letter = '', ...others]) => others.map((other) => [other, letter] as const)),
);

const LATIN = /\p{Script=Latin}/u;
/** Scripts with letters that look like Latin ones. */
const OTHER =
  /[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Lisu}]/u;

/** Returns the reason why a name is invalid; null for a valid one. */
export function whyNoName(name: string): string | null {
  const isSeen = visible(name) === name && !/[\p{Co}\p{Cn}]/u.test(name) && name.trim() === name;
  if (!isSeen || name === '' || name.length > LONGEST_NAME)
    return `a name must have 1 to ${LONGEST_NAME} characters, none invisible, and no spaces around it`;
  const words = plain(name).split(' ');
  if (words.some((word) => LATIN.test(word) && OTHER.test(word)))
    return `the name ${name} mixes letters of several scripts in one word`;
  // A decision in an agent's own client is recorded with `(in its client)`, so a name must not contain these words.
  const isTaken = TAKEN_LOOKS.has(look(name)) || plain(name).includes('in its client');
  return isTaken ? `the name ${name} is reserved for the gateway` : null;
}

/** Returns the name without differences that people overlook: case, width, accents, and word separators. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}\p{Pc}.#]+/gu, ' ')
    .trim();

/**
 * Punctuation, symbols and blanks around a name, and numbers and Han characters after it. All Han characters are
 * ignored, because Chinese numerals have no Unicode property of their own.
 */
const AROUND = /^[\p{P}\p{S}\p{Z}]+|[\p{N}\p{P}\p{S}\p{Z}\p{Script=Han}]+$/gu;

/**
 * Returns the look of a name at a glance: without the characters of `AROUND`, and without any blanks or punctuation in
 * the name except `|` and `!`; letters that look alike become the same letter.
 */
function look(name: string): string {
  const letters = plain(name.replaceAll(AROUND, '')).replaceAll(/[^\p{L}\p{N}|!]/gu, '');
  return Array.from(letters, (letter) => LOOKS_LIKE.get(letter) ?? letter)
    .map((letter) => (letter === 'i' ? 'l' : letter))
    .join('');
}

const TAKEN_LOOKS = new Set(TAKEN.map(look));
