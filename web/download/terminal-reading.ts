// What a process with a tty has printed, as the lines of a terminal: drawn by one that nobody sees, wrapped lines joined.
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { Terminal } from '@xterm/xterm';
import { linesOf } from './buffer-lines.ts';
import type { Retained } from './retained-output.ts';
import type { StyledLine } from './styled-line.ts';
import { bytesText } from '../processes/process-status.ts';
import { ABORT } from '../terminal/control-sequences.ts';

/** More than the output that a gateway retains of a process can fill with lines of words. */
const SCROLLBACK_LINES = 100_000;
export async function* readAsTerminal(
  pages: AsyncIterable<readonly Retained[]>,
  size: { readonly rows: number; readonly cols: number },
): AsyncGenerator<StyledLine[]> {
  const terminal = new Terminal({
    rows: size.rows,
    cols: size.cols,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
  });
  try {
    terminal.loadAddon(new UnicodeGraphemesAddon());
    terminal.unicode.activeVersion = '15-graphemes';
    for await (const page of pages) for (const event of page) await draw(terminal, event);
    const { normal, active } = terminal.buffer;
    yield* linesOf(normal);
    // A full-screen program has a screen of its own beside.
    if (active.type === 'alternate') yield* linesOf(active);
  } finally {
    terminal.dispose();
  }
}

/** Waits until it is drawn, so that no more than a page is ever under way. */
function draw(terminal: Terminal, event: Retained): Promise<void> {
  if (event.kind === 'resized') {
    terminal.resize(event.size.cols, event.size.rows);
    return Promise.resolve();
  }
  const what =
    event.kind === 'output' ? event.bytes : `${ABORT}\r\n— ${bytesText(event.bytes)} not shown —\r\n`;
  return new Promise((resolve) => terminal.write(what, resolve));
}
