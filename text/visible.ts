// Makes characters visible that control, hide or reorder text.

/**
 * Controls, format characters (bidi, tags, joiners), line separators, lone surrogates, and invisible
 * characters.
 */
const HIDING = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';
/** Visible format characters: number signs and similar signs of Arabic, Syriac and Kaithi. */
const DRAWN = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}';
const JOINERS = '\\u200c\\u200d';
/** Variation selectors, which choose a form of the previous character. */
const SELECTORS = '\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';
/** Braille pattern without dots. */
const BLANK = '\\u2800';

/** Scripts in which a joiner changes the shape of letters. */
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
const LOOSE_JOINER = `[${JOINERS}](?<!${EMOJI_JOINED})(?<![${JOINING}].)`;

const SELECTED = [
  '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]',
  '[\\d#*]\\ufe0f(?=\\u20e3)',
  '\\p{Script=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '\\p{Script=Mongolian}[\\u180b-\\u180d\\u180f]',
].join('|');
/** A selector after a character without variants. */
const LOOSE_SELECTOR = `[${SELECTORS}](?<!${SELECTED})`;

/** Maximum number of marks on a character that are shown as they are, more than any writing needs. */
const MOST_MARKS = 8;
/** A mark that would cover neighbouring characters. */
const MARK_TOO_MANY = `\\p{M}(?<=\\p{M}{${MOST_MARKS + 1}})`;

const ALWAYS_HIDDEN = `(?![${DRAWN}${JOINERS}${SELECTORS}])[${HIDING}${BLANK}]|${MARK_TOO_MANY}`;
const HIDDEN = new RegExp([ALWAYS_HIDDEN, LOOSE_JOINER, LOOSE_SELECTOR].join('|'), 'gu');
/** Hidden characters, and spaces other than U+0020: shells treat such a space as part of a word. */
const HIDDEN_OR_SPACE = new RegExp(`${HIDDEN.source}|(?! )\\p{Zs}`, 'gu');
const NEXT = new RegExp(ALWAYS_HIDDEN, 'gu');
const MARKS_AT_END = /\p{M}+$/u;
/** Expressions by number of marks before the text: each matches up to the first mark that is too many. */
const UP_TO_TOO_MANY = Array.from(
  { length: MOST_MARKS + 1 },
  (_, marks) => new RegExp(`\\p{M}{${MOST_MARKS - marks}}(\\p{M})`, 'uy'),
);
const SHORT: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns the text on one line, with hidden characters escaped, for example as `\x1b` or `\u202e`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => SHORT[character] ?? escapeOf(character));
}

/**
 * Variant of `visible` that returns pieces, to distinguish an escape from text that looks like one. Spaces at
 * which shells do not split words are escaped too.
 */
export function visibleParts(text: string): readonly { readonly text: string; readonly isEscape: boolean }[] {
  const parts: { text: string; isEscape: boolean }[] = [];
  const add = (piece: string, isEscape: boolean): void => {
    const last = parts.at(-1);
    if (last?.isEscape === isEscape) last.text += piece;
    else if (piece !== '') parts.push({ text: piece, isEscape });
  };
  let from = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN_OR_SPACE)) {
    add(text.slice(from, index), false);
    add(SHORT[character] ?? escapeOf(character), true);
    from = index + character.length;
  }
  add(text.slice(from), false);
  return parts;
}

/** Variant of `visible` that leaves line feeds and tabs unchanged. */
export function visibleLines(text: string): string {
  return text.replace(HIDDEN, (character) =>
    character === '\n' || character === '\t' ? character : escapeOf(character),
  );
}

/** Returns a line of JSON with hidden characters as JSON escapes. */
export function visibleJson(json: string): string {
  return json.replace(HIDDEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/**
 * Returns the first character from index `from` on that is always hidden; null when there is none. `marks`: number of
 * marks shown directly before `from`. Joiners and selectors are skipped, since their context may be incomplete.
 */
export function nextHidden(
  text: string,
  from: number,
  marks = 0,
): { readonly index: number; readonly character: string } | null {
  NEXT.lastIndex = from;
  const found = NEXT.exec(text);
  const next = found && { index: found.index, character: found[0] };
  const upTo = marks > 0 ? UP_TO_TOO_MANY[marks] : undefined;
  if (!upTo) return next;
  upTo.lastIndex = from;
  const [run = '', character = ''] = upTo.exec(text) ?? [];
  const index = from + run.length - character.length;
  return character === '' || (next && next.index < index) ? next : { index, character };
}

/** Returns the number of marks at the end of shown text, at most the maximum; `before`: number just before the text. */
export function marksAtEnd(text: string, before: number): number {
  const [run = ''] = MARKS_AT_END.exec(text.slice(-2 * MOST_MARKS)) ?? [];
  const count = Array.from(run).length;
  return Math.min(MOST_MARKS, run.length === text.length ? before + count : count);
}

/** Returns the escape of a character, such as `\x01`, `\u202e` or `\u{e0041}`. */
export function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
