// Text that somebody else chose, with nothing in it that acts, hides or reorders: the one list of such characters.

/** Controls, bidi marks, what has no width, line separators, and tags: whatever could hide, reorder or break a line. */
const HIDING =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';

/** Scripts whose letters take other shapes beside a joiner, or without it. */
const JOINING = [
  'Arabic',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Khmer',
  'Malayalam',
  'Mongolian',
  'Oriya',
  'Sinhala',
  'Syriac',
  'Tamil',
  'Telugu',
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const EMOJI_JOINED =
  '\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?\\u200d(?=\\p{Extended_Pictographic})';
/** A joiner with nothing to join. */
const LOOSE_JOINER = `[\\u200c\\u200d](?<!${EMOJI_JOINED})(?<![${JOINING}].)`;

const HIDDEN = new RegExp(`[${HIDING}]|${LOOSE_JOINER}`, 'gu');
const NEXT = new RegExp(`[${HIDING}]`, 'gu');
const SHORT: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text on one line, with each hidden character as its escape: `\x1b`, `\u202e`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => SHORT[character] ?? escapeOf(character));
}

/** The same of text that has lines and tabs. */
export function visibleLines(text: string): string {
  return text.replace(HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : escapeOf(character),
  );
}

/** The first such character from there on. Joiners are none: what they join may be still to come. */
export function nextHidden(
  text: string,
  from: number,
): { readonly index: number; readonly character: string } | null {
  NEXT.lastIndex = from;
  const found = NEXT.exec(text);
  return found && { index: found.index, character: found[0] };
}

/** `\x01`, `\u202e`, `\u{e0041}`. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
