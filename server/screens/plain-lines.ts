// Output → its lines as a person reads them, and where each begins.
import { plainLine } from '../../text/plain-text.ts';

interface PlainLine {
  /** Decoded bytes of all output before the line. */
  readonly offset: number;
  readonly text: string;
}

const LINE_FEED = 0x0a;
/** A longer line is as good as several. */
const LINE_BYTES = 64 * 1024;

/** `shown`: a printed line → what is shown of it. */
export function* plainLines(output: Buffer, offset: number, shown = plainLine): Generator<PlainLine> {
  let start = 0;
  while (start < output.length) {
    const feed = output.indexOf(LINE_FEED, start);
    const end = Math.min(feed < 0 ? output.length : feed, start + LINE_BYTES);
    yield { offset: offset + start, text: shown(output.toString('utf8', start, end)) };
    start = end === feed ? end + 1 : end;
  }
}
