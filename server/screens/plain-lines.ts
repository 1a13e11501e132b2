// Splits output into lines as a person reads them, with their offsets.
import { plainLine } from '../../text/plain-text.ts';

interface PlainLine {
  /** Decoded bytes of all output before the line. */
  readonly offset: number;
  readonly text: string;
}

const LINE_FEED = 0x0a;
/** Maximum bytes of a line; a longer one is split. */
const LINE_BYTES = 64 * 1024;

/**
 * Yields the lines of the output, which begins at `offset`; `shown` converts a printed line to its displayed
 * text.
 */
export function* plainLines(output: Buffer, offset: number, shown = plainLine): Generator<PlainLine> {
  let start = 0;
  while (start < output.length) {
    const feed = output.indexOf(LINE_FEED, start);
    const end = Math.min(feed < 0 ? output.length : feed, start + LINE_BYTES);
    yield { offset: offset + start, text: shown(output.toString('utf8', start, end)) };
    start = end === feed ? end + 1 : end;
  }
}
