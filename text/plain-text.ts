// Text that a program printed, as a person reads it: without control sequences and control characters.
import { withEscapes } from './c1-escapes.ts';
import { overtyped } from './overtyped.ts';
import { CUT } from './own-copy.ts';

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/* oxlint-disable no-control-regex -- these are what is drawn, or taken out */
const CONTROLS_BUT_TAB = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;
const DRAWN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/* oxlint-enable no-control-regex */

/** OSC and other strings, CSI, and the short ones; also one that has not ended. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** One line of output, without its end, its control sequences, and what was overwritten or erased in it. */
export function plainLine(line: string): string {
  const escaped = withEscapes(line);
  return withoutControls(overtyped(escaped) ?? withoutSequences(escaped));
}

/** The lines of a terminal's output as they were left, with their tabs; of a line that moves about, what stands in it at the end. */
export function drawnLines(output: string): string {
  if (!DRAWN.test(output)) return output;
  const lines = withEscapes(output).split('\n');
  return lines
    .map((line) => (overtyped(line) ?? withoutSequences(line)).replaceAll(CONTROLS_BUT_TAB, ''))
    .join('\n');
}

/**
 * The same for a viewer from whom secrets are covered by `cover`. Cursor movements may part the letters of a secret: a
 * line in which the text without sequences has one is shown that way, covered, instead of as it was drawn.
 */
export function coveredLine(line: string, cover: (text: string) => string): string {
  const joined = withoutControls(withoutSequences(withEscapes(line)));
  const covered = cover(joined);
  return covered === joined ? cover(plainLine(line)) : covered;
}

const withoutSequences = (line: string): string =>
  line.includes('\u001b') ? line.replaceAll(SEQUENCES, '') : line;

const withoutControls = (text: string): string => text.replaceAll('\t', ' ').replaceAll(CONTROLS, '');

/** Returns one line for a list, of at most `maxChars`; a longer one ends with `…`. Null when nothing is left. */
export function plainText(text: string, maxChars: number): string | null {
  const plain = withoutControls(text).trim();
  const letters = Array.from(plain);
  if (letters.length > maxChars) return letters.slice(0, maxChars).join('') + CUT;
  return plain === '' ? null : plain;
}
