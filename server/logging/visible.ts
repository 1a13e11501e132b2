// Names, paths and commands are anybody's: nothing in the log acts on a terminal, hides or reorders.

/** Controls, what has no width, what turns text around, and what some take for the end of a line. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Each such character as JSON would write it, in JSON without a change of what it says. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeOf(character.charCodeAt(at))).join(''),
  );
}

const escapeOf = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
