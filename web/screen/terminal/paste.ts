// Pasted text, before a program sees it as if it had been typed.

// C0 but for tab, newline and return; DEL; C1. An ESC in a paste could end a bracketed paste from within.
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const LINE_END = /\r\n|\r|\n/;

/** More is no text that a person wants to type. */
export const MOST_PASTED_CHARS = 4_000_000;

export const safePaste = (text: string): string => text.replace(CONTROL, '');

/** How many lines there are that a program would take as entered, one after another; the end of the last one is none. */
export function lineCount(text: string): number {
  const lines = text.split(LINE_END);
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}

/** For where each line would be a command: one that does nothing until Enter is pressed. */
export const asOneLine = (text: string): string =>
  text
    .split(LINE_END)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
