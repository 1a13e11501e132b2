// Shortens text without splitting a character of two UTF-16 units, half of which is shown as an escape or as `�`.

/** Marks the end of truncated text; also lets the masking detect a secret that was cut off. */
export const CUT = '…';

/** Returns the index at which the text can be cut: `index`, or the one before it if a character would be split. */
export const cutIndex = (text: string, index: number): number =>
  (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;

/** Returns the beginning of a text, of at most `chars` UTF-16 units. */
export const headOf = (text: string, chars: number): string => text.slice(0, cutIndex(text, chars));

/** Returns the text, truncated with `…` after at most `chars` UTF-16 units. */
export const cutTo = (text: string, chars: number): string =>
  text.length > chars ? headOf(text, chars) + CUT : text;
