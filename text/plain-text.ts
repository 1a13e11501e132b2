// Printed text for people, without control sequences and control characters.
import { withEscapes } from './c1-escapes.ts';
import { overtyped } from './overtyped.ts';
import { CUT } from './cut.ts';

// oxlint-disable-next-line no-control-regex -- these controls are removed
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/* oxlint-disable no-control-regex -- these controls are applied or removed */
const CONTROLS_BUT_TAB = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;
const DRAWN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/* oxlint-enable no-control-regex */

/** OSC and other strings, CSI, and short sequences; the last one may be incomplete. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** Returns one line of output without control sequences and without overwritten or erased text. */
export function plainLine(line: string): string {
  const escaped = withEscapes(line);
  return withoutControls(overtyped(escaped) ?? withoutSequences(escaped));
}

/** Returns a terminal's output line by line as finally drawn, with tabs. */
export function drawnLines(output: string): string {
  if (!DRAWN.test(output)) return output;
  const lines = withEscapes(output).split('\n');
  return lines
    .map((line) => (overtyped(line) ?? withoutSequences(line)).replaceAll(CONTROLS_BUT_TAB, ''))
    .join('\n');
}

/**
 * Variant of `plainLine` with secrets masked by `mask`. Cursor movements can separate a secret's letters: if the
 * line without sequences contains a secret, that text is returned, masked.
 */
export function maskedLine(line: string, mask: (text: string) => string): string {
  const joined = withoutControls(withoutSequences(withEscapes(line)));
  const whole = mask(joined);
  return whole === joined ? mask(plainLine(line)) : whole;
}

const withoutSequences = (line: string): string =>
  line.includes('\u001b') ? line.replaceAll(SEQUENCES, '') : line;

const withoutControls = (text: string): string => text.replaceAll('\t', ' ').replaceAll(CONTROLS, '');

/**
 * Returns the text without control characters and without spaces at its ends: at most `maxChars` characters, followed
 * by `…` if truncated; null when nothing is left.
 */
export function plainText(text: string, maxChars: number): string | null {
  const plain = withoutControls(text).trim();
  const letters = Array.from(plain);
  if (letters.length > maxChars) return letters.slice(0, maxChars).join('') + CUT;
  return plain === '' ? null : plain;
}
