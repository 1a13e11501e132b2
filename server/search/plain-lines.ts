// Output → its lines as a person reads them, and where each begins.

interface PlainLine {
  /** Decoded bytes of all output before the line. */
  readonly offset: number;
  readonly text: string;
}

const LINE_FEED = 0x0a;
/** A longer line is as good as several. */
const LINE_BYTES = 64 * 1024;

const SEQUENCES =
  // oxlint-disable-next-line no-control-regex -- these are control sequences
  /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function* plainLines(output: Buffer, offset: number): Generator<PlainLine> {
  let start = 0;
  while (start < output.length) {
    const feed = output.indexOf(LINE_FEED, start);
    const end = Math.min(feed < 0 ? output.length : feed, start + LINE_BYTES);
    yield { offset: offset + start, text: plain(output.toString('utf8', start, end)) };
    start = end === feed ? end + 1 : end;
  }
}

/** What a carriage return has overwritten is not part of a line. */
function plain(line: string): string {
  const text = line.includes('\u001b') ? line.replaceAll(SEQUENCES, '') : line;
  const shown = text.includes('\r') ? (text.split('\r').findLast((part) => part.trim() !== '') ?? '') : text;
  return shown.replaceAll(CONTROLS, '');
}
