// Output as a search sees it, a block of whole lines at once: a line by itself costs far more than its letters.
import { plainLine } from '../../text/plain-text.ts';

/** Characters of an edited line that are looked at. */
export const LINE_CHARS = 64 * 1024;

/* oxlint-disable no-control-regex -- these are control characters and sequences */
/** Anything that is not shown as it is, but for the returns at the end of a terminal's line. */
const SPECIAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\u00c2[\u0080-\u009f]|\r(?![\r\n])/;
/** An 8-bit control in UTF-8 that is the same as ESC and a letter. */
const EIGHT_BIT = /\u00c2([\u0090\u0098\u009b-\u009f])/g;
/** What goes back, or erases what is there: to erase behind the last letter changes nothing. */
const EDITED =
  /\r(?![\r\n])|\u0008|\u001b(?:[8c]|\[(?:[\d;]*[@CDGHIPXZ`abfu]|(?!\??0?[JK])(?:[\d;]*|\?[\d;]*)[JK]))/;
/** Sequences, and control characters but for tabs and returns. */
const OMITTED =
  /\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\u00c2[\u0080-\u009f]/g;
/* oxlint-enable no-control-regex */

/**
 * The same lines as `plainLine` returns them, except for returns at their ends. One character is one byte, here and in
 * the result. `isErasedKept`: what was erased or overwritten stands behind its line, for a reader who may see it covered.
 */
export function plainView(raw: string, isErasedKept = false): string {
  const view = SPECIAL.test(raw) ? drawn(raw, isErasedKept) : raw;
  return view.includes('\t') ? view.replaceAll('\t', ' ') : view;
}

/** The lines of a view, without its returns. */
export const linesOf = (view: string): string[] =>
  (view.includes('\r') ? view.replaceAll('\r', '') : view).split('\n');

/** A line that was taken from the middle of such a text, as it was printed. */
export const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

function drawn(raw: string, isErasedKept: boolean): string {
  const escaped = raw.includes('\u00c2') ? raw.replaceAll(EIGHT_BIT, escapeOf) : raw;
  if (!EDITED.test(escaped)) return escaped.replaceAll(OMITTED, '');
  return escaped
    .split('\n')
    .map((line) => (EDITED.test(`${line}\n`) ? drawnLine(line, isErasedKept) : line.replaceAll(OMITTED, '')))
    .join('\n');
}

function drawnLine(line: string, isErasedKept: boolean): string {
  let end = Math.min(line.length, LINE_CHARS);
  while (line[end - 1] === '\r') end -= 1;
  const seen = line.slice(0, end);
  const left = Buffer.from(plainLine(textOf(seen))).toString('latin1');
  return isErasedKept ? `${left}\u0000${seen.replaceAll(OMITTED, '').replaceAll('\r', '')}` : left;
}

const escapeOf = (_: string, control: string): string =>
  `\u001b${String.fromCharCode(control.charCodeAt(0) - 0x40)}`;
