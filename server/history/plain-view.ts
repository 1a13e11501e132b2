// Converts output to the text that is searched: whole blocks of lines at once, since a call for each line is many times
// slower.
import { plainLine } from '../../text/plain-text.ts';

/** Number of bytes at the beginning of each line that are searched; a line has one character per byte here. */
export const LINE_CHARS = 64 * 1024;

/* oxlint-disable no-control-regex -- these match control characters and sequences */
/** Control characters except tabs, line feeds and the carriage returns before a line feed. */
const SPECIAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\u00c2[\u0080-\u009f]|\r(?![\r\n])/;
/** An 8-bit control in UTF-8 that has the same meaning as ESC and an ASCII character. */
const EIGHT_BIT = /\u00c2([\u0090\u0098\u009b-\u009f])/g;
/** Controls that move the cursor or change printed text; the cursor has nothing to its right until it is moved. */
const EDITED =
  /\r(?![\r\n])|\u0008|\u001b(?:[8c]|\[(?:[\d;]*[@CDGHIPXZ`abfu]|(?!\??0?[JK])(?:[\d;]*|\?[\d;]*)[JK]))/;
/** Everything up to the last erasure of the whole line, as progress displays print it before each update. */
const ERASED = /^[^]*(?:\u001b\[2K\r|\r\u001b\[[02]?K)/;
/** The beginning of a sequence with a string, which may contain a carriage return. */
const STRING = /\u001b[\]PX^_]/;
/** Sequences, and control characters except tabs, line feeds and carriage returns. */
const OMITTED =
  /\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\u00c2[\u0080-\u009f]/g;
/* oxlint-enable no-control-regex */

/**
 * Returns the lines as `plainLine` does, except for carriage returns at their ends. Each character is one byte, also in
 * the result. `hasErased` appends to each edited line, after a NUL, all text printed in it, including erased text.
 */
export function plainView(raw: string, hasErased = false): string {
  const view = SPECIAL.test(raw) ? drawn(raw, hasErased) : raw;
  return view.includes('\t') ? view.replaceAll('\t', ' ') : view;
}

/** Returns the lines of a view, without carriage returns. */
export const linesOf = (view: string): string[] =>
  (view.includes('\r') ? view.replaceAll('\r', '') : view).split('\n');

/** Decodes UTF-8 from a string that has one character per byte. */
export const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

function drawn(raw: string, hasErased: boolean): string {
  const escaped = raw.includes('\u00c2') ? raw.replaceAll(EIGHT_BIT, escapeOf) : raw;
  if (!EDITED.test(escaped)) return escaped.replaceAll(OMITTED, '');
  return escaped
    .split('\n')
    .map((line) => (EDITED.test(`${line}\n`) ? drawnLine(line, hasErased) : line.replaceAll(OMITTED, '')))
    .join('\n');
}

function drawnLine(line: string, hasErased: boolean): string {
  let end = Math.min(line.length, LINE_CHARS);
  while (line[end - 1] === '\r') end -= 1;
  const seen = line.slice(0, end);
  const left = lastShown(seen) ?? Buffer.from(plainLine(textOf(seen))).toString('latin1');
  return hasErased ? `${left}\u0000${seen.replaceAll(OMITTED, '').replaceAll('\r', '')}` : left;
}

/** Returns what a line shows after its last erasure; null when that is not simply the text after the erasure. */
function lastShown(line: string): string | null {
  const erased = ERASED.exec(line)?.[0].length ?? 0;
  const rest = line.slice(erased);
  if (erased === 0 || STRING.test(line) || EDITED.test(rest) || rest.includes('\t')) return null;
  const shown = rest.replaceAll(OMITTED, '');
  return shown.endsWith(' ') ? null : shown;
}

const escapeOf = (_: string, control: string): string =>
  `\u001b${String.fromCharCode(control.charCodeAt(0) - 0x40)}`;
