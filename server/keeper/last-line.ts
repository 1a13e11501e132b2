// The last line of an output that says anything, as a list shows it.
import { plainLine, plainText } from '../../text/plain-text.ts';

/** How much of the end of an output is looked at. */
export const LAST_LINE_BYTES = 4096;
const LAST_LINE_CHARS = 200;
const ALTERNATE_SCREEN: readonly string[] = ['47', '1047', '1049'];
// oxlint-disable-next-line no-control-regex -- these are control sequences
const MODES = /\u001b\[\?([\d;]*)([hl])/g;

/** Null when there is none. `shown`: a printed line → what is shown of it. */
export function lastLine(tail: Buffer, shown = plainLine): string | null {
  const text = onNormalScreen(tail.toString('utf8'), tail.length < LAST_LINE_BYTES);
  const lines = text.split('\n');
  for (const line of lines.toReversed()) {
    const said = plainText(shown(line), LAST_LINE_CHARS);
    if (said !== null) return said;
  }
  return null;
}

/** Without what was printed on an alternate screen that was left: then the screen shows what was there before. */
function onNormalScreen(text: string, isFromStart: boolean): string {
  let normal = '';
  let from = 0;
  let enteredAt: number | null = null;
  let isKnown = isFromStart;
  for (const { index, 0: sequence, 1: modes = '', 2: final } of text.matchAll(MODES)) {
    if (!modes.split(';').some((mode) => ALTERNATE_SCREEN.includes(mode))) continue;
    if (final === 'h') {
      enteredAt ??= index;
      continue;
    }
    // What stands before the first end, and no beginning, may be the alternate screen's.
    if (isKnown || enteredAt !== null) normal += text.slice(from, enteredAt ?? index);
    isKnown = true;
    enteredAt = null;
    from = index + sequence.length;
  }
  return normal + text.slice(from);
}
