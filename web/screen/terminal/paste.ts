// Pasted text, cleaned before a program reads it as if it had been typed.

// C0 except tab, newline and return; DEL; C1. An ESC in a paste could end a bracketed paste from within.
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const LINE_END = /\r\n|\r|\n/;

/** Most characters of a paste; nobody means to type more. */
export const MOST_PASTED_CHARS = 4_000_000;

export const safePaste = (text: string): string => text.replace(CONTROL, '');

/** Returns the number of lines that a program would take as entered, one by one; a final line end adds none. */
export function lineCount(text: string): number {
  const lines = text.split(LINE_END);
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

/** Joins the lines for a shell where each would be a command: one line, which does nothing until Enter is pressed. */
export const asOneLine = (text: string): string =>
  text
    .split(LINE_END)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
