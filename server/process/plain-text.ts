// Text that a program printed, as a person reads it: without control sequences and control characters.
import { overtyped } from './overtyped.ts';

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** OSC and other strings, CSI, and the short ones; also one that has not ended. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** One line of output, without its end, its control sequences, and what was overwritten or erased in it. */
export function plainLine(line: string): string {
  const shown = overtyped(line) ?? (line.includes('\u001b') ? line.replaceAll(SEQUENCES, '') : line);
  return shown.replaceAll('\t', ' ').replaceAll(CONTROLS, '');
}

/** For a list: one line, not too long. Null when nothing is left. */
export function plainText(text: string, maxChars: number): string | null {
  const plain = text.replaceAll('\t', ' ').replaceAll(CONTROLS, '').trim();
  return plain === '' ? null : Array.from(plain).slice(0, maxChars).join('');
}
