// Cleans pasted text before a program reads it as typed input.

// C0 except tab, newline and return; DEL; C1. An ESC in a paste could end a bracketed paste from within.
// oxlint-disable-next-line no-control-regex -- these characters are removed
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const LINE_END = /\r\n|\r|\n/;

/** Maximum number of characters in a paste, far more than anyone pastes on purpose. */
export const MOST_PASTED_CHARS = 4_000_000;

export const safePaste = (text: string): string => text.replace(CONTROL, '');

/** Returns the number of lines in the text; a final line end adds none. */
export function lineCount(text: string): number {
  const lines = text.split(LINE_END);
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

/** Joins the non-blank lines, stripped of surrounding spaces; a shell does not execute the result before Enter. */
export const asOneLine = (text: string): string =>
  text
    .split(LINE_END)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
