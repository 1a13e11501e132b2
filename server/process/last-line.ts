// The last line of an output that says anything, as a list shows it.
import { plainLine, plainText } from './plain-text.ts';

/** How much of the end of an output is looked at. */
export const LAST_LINE_BYTES = 4096;
const LAST_LINE_CHARS = 200;
/* oxlint-disable no-control-regex -- these are control sequences */
const ENTERED = /\u001b\[\?(?:\d*;)*(?:47|1047|1049)(?:;\d*)*h/;
const LEFT = /\u001b\[\?(?:\d*;)*(?:47|1047|1049)(?:;\d*)*l/;
/* oxlint-enable no-control-regex */

/** Null when there is none. `shown`: what is shown of a line. */
export function lastLine(tail: Buffer, shown = (line: string): string => line): string | null {
  const text = onNormalScreen(tail.toString('utf8'), tail.length < LAST_LINE_BYTES);
  const lines = text.split('\n');
  for (const line of lines.toReversed()) {
    const said = plainText(shown(plainLine(line)), LAST_LINE_CHARS);
    if (said !== null) return said;
  }
  return null;
}

/** Without what was printed on the alternate screen: who leaves it sees none of that, but what was there before. */
function onNormalScreen(text: string, isFromStart: boolean): string {
  const pieces = text.split(LEFT);
  const last = pieces.pop();
  const before = pieces.map((piece, at) => {
    const [normal = '', ...alternate] = piece.split(ENTERED);
    return at > 0 || isFromStart || alternate.length > 0 ? normal : '';
  });
  return `${before.join('')}${last}`;
}
