// Output of a process without a tty as lines, one page at a time; only unfinished lines stay in memory.
import { missingText } from '../../../text/missing-output.ts';
import { isRestOf, type LogEntry } from '../log/log-entry.ts';
import { LogLines } from '../log/log-lines.ts';
import type { Retained } from './retained-output.ts';
import type { StyledLine } from './styled-line.ts';

/** No limits are needed here: all finished lines of a page are yielded together, and the gateway limits the page. */
const NO_LIMITS = { lines: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

export async function* readAsLog(pages: AsyncIterable<readonly Retained[]>): AsyncGenerator<StyledLine[]> {
  const lines = new LogLines(() => undefined, NO_LIMITS);
  let offset = 0;
  let before: LogEntry | undefined;
  const ended = (): StyledLine[] =>
    lines.takeEnded().map((entry) => {
      const line = styledLine(before, entry);
      before = entry;
      return line;
    });
  for await (const page of pages) {
    for (const event of page) {
      if (event.kind === 'output') {
        lines.output(event.stream, event.bytes, offset, null);
        offset += event.bytes.length;
      } else if (event.kind === 'gap') {
        lines.gap(event.bytes, missingText(event.bytes));
        offset += event.bytes;
      }
    }
    yield ended();
  }
  lines.closed();
  yield ended();
}

function styledLine(before: LogEntry | undefined, entry: LogEntry): StyledLine {
  if (entry.kind === 'divider') return { from: 'page', text: entry.text, runs: [], continues: false };
  const { text, runs, stream } = entry;
  return { from: stream === 'stderr' ? 'stderr' : 'stdout', text, runs, continues: isRestOf(before, entry) };
}
