// The last line of an output that says anything, as a list shows it.
import { plainLine, plainText } from './plain-text.ts';

/** How much of the end of an output is looked at. */
export const LAST_LINE_BYTES = 4096;
const LAST_LINE_CHARS = 200;

/** Null when there is none. `shown`: what is shown of a line. */
export function lastLine(tail: Buffer, shown = (line: string): string => line): string | null {
  const lines = tail.toString('utf8').split('\n');
  for (const line of lines.toReversed()) {
    const text = plainText(shown(plainLine(line)), LAST_LINE_CHARS);
    if (text !== null) return text;
  }
  return null;
}
