// Output of a process with a tty as lines: drawn by a hidden terminal, with wrapped lines joined.
import { Terminal } from '@xterm/xterm';
import type { Size } from '../../../protocol/scalars.ts';
import { missingText } from '../../../text/missing-output.ts';
import { ABORT, RESET } from '../terminal/control-sequences.ts';
import { linesOf } from './buffer-lines.ts';
import type { Retained } from './retained-output.ts';
import { applyTerminalRules, TERMINAL_OPTIONS } from '../../../text/terminal-rules.ts';
import { internalsFor } from '../../../text/xterm-internals.ts';
import type { StyledLine } from './styled-line.ts';

/** More lines than one chunk of output can contain, however short they are. */
const SCROLLBACK_LINES = 100_000;

export async function* readAsTerminal(
  pages: AsyncIterable<readonly Retained[]>,
  size: Size,
): AsyncGenerator<StyledLine[]> {
  const terminal = new Terminal({
    ...TERMINAL_OPTIONS,
    rows: size.rows,
    cols: size.cols,
    scrollback: SCROLLBACK_LINES,
  });
  try {
    applyTerminalRules(terminal);
    for await (const page of pages) {
      for (const event of page) {
        if (event.kind === 'gap') {
          // Yield what is drawn so far, since output after the gap is drawn on a fresh screen.
          yield* shownBy(terminal);
          yield [note(missingText(event.bytes))];
        } else if (event.kind === 'screen' && !event.isExact) {
          yield [note('the screen that follows may differ from the original')];
        } else if (event.kind === 'output' && !hasRoomFor(terminal, event.bytes)) {
          yield* linesOf(terminal.buffer.normal, terminal.buffer.normal.baseY);
          eraseScrollback(terminal);
        }
        await draw(terminal, event);
      }
    }
    yield* shownBy(terminal);
  } finally {
    terminal.dispose();
  }
}

async function* shownBy({ buffer }: Terminal): AsyncGenerator<StyledLine[]> {
  yield* linesOf(buffer.normal);
  // A full-screen program also has an alternate screen.
  if (buffer.active.type === 'alternate') yield* linesOf(buffer.active);
}

/** Each byte starts at most one line, and lines of the alternate screen never enter the scrollback. */
const hasRoomFor = ({ buffer }: Terminal, bytes: Uint8Array): boolean =>
  buffer.active.type === 'alternate' || buffer.normal.baseY + bytes.length <= SCROLLBACK_LINES;

/** Erases the scrollback like ED 3, but outside the byte stream, which may be in the middle of a sequence. */
function eraseScrollback(terminal: Terminal): void {
  internalsFor(terminal, 'erasing')?.['_inputHandler'].eraseInDisplay({ params: [3], length: 1 });
}

const note = (text: string): StyledLine => ({ from: 'page', text, runs: [], continues: false });

/** Resolves when the event is drawn, so that no more than one event is pending. */
function draw(terminal: Terminal, event: Retained): Promise<void> {
  if (event.kind === 'resized' || event.kind === 'screen') {
    terminal.resize(event.size.cols, event.size.rows);
  }
  if (event.kind === 'resized') return Promise.resolve();
  const what = event.kind === 'output' ? event.bytes : event.kind === 'gap' ? ABORT + RESET : event.data;
  return new Promise((resolve) => terminal.write(what, resolve));
}
