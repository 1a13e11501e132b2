// The last line of an output that says anything, as a list shows it.
import { plainText } from './plain-text.ts';

/** How much of the end of an output is looked at. */
export const LAST_LINE_BYTES = 4096;
const LAST_LINE_CHARS = 200;

/** Escape sequences: OSC and other strings (also one that has not ended), CSI, and the short ones. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b\[[0-?]*[ -/]*(?:[@-~]|$)|\u001b[ -/]*(?:[0-~]|$)/g;

/** Null when there is none. What a carriage return has overwritten is not part of it. */
export function lastLine(tail: Buffer): string | null {
  const lines = tail.toString('utf8').replaceAll(SEQUENCES, '').split('\n');
  for (const line of lines.toReversed()) {
    const shown = line.split('\r').findLast((part) => part.trim() !== '') ?? '';
    const text = plainText(shown, LAST_LINE_CHARS);
    if (text !== null) return text;
  }
  return null;
}
