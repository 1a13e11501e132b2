// Finds the row of an output line in a terminal: of all lines that contain its text, the one nearest to a row
// estimated from marks at known offsets.
import type { IBuffer, IDisposable, IMarker, Terminal } from '@xterm/xterm';
import type { TerminalWriter } from './terminal-output.ts';

/** A line of output, as returned by a search. */
export interface OutputLine {
  /** Byte offset of the line in the output of the process, over all streams. */
  readonly offset: number;
  /** Text without control sequences; truncated for a very long line. */
  readonly text: string;
}

/**
 * `gone`: the line is neither on the screen nor in the scrollback; `superseded`: another line was requested before this
 * one was shown.
 */
type RevealOutcome = 'shown' | 'gone' | 'superseded';

interface Mark {
  readonly offset: number;
  readonly marker: IMarker;
}

interface Wanted {
  readonly line: OutputLine;
  /** Offset up to which output must be drawn first, since it may still erase the line. */
  readonly untilOffset: number;
  readonly done: (outcome: RevealOutcome) => void;
}

/** Maximum number of marks, since every xterm marker costs a little for each scrolled line. */
const MOST_MARKS = 256;
const MARK_BYTES = 2048;

export class LineMarks {
  readonly #terminal: Terminal;
  readonly #writer: TerminalWriter;
  #marks: Mark[] = [];
  #drawnOffset = 0;
  #wanted: Wanted | null = null;
  #shown: IDisposable | null = null;

  constructor(terminal: Terminal, writer: TerminalWriter) {
    this.#terminal = terminal;
    this.#writer = writer;
  }

  /** Wraps `drawn` for bytes that end at this offset; call the result when they are drawn or need not be. */
  arrived(endOffset: number, drawn: () => void): () => void {
    return () => {
      this.#drawnOffset = Math.max(this.#drawnOffset, endOffset);
      drawn();
      this.#look();
    };
  }

  /** Wraps `drawn` for bytes being written; call the result when the cursor is at their end. */
  written(drawn: () => void): () => void {
    return () => {
      drawn();
      this.#mark();
    };
  }

  /** Discards all marks; called when the screen was redrawn with other content. */
  redrawn(): void {
    for (const { marker } of this.#marks) marker.dispose();
    this.#marks = [];
  }

  /** Scrolls to a line and highlights it, as soon as `outputBytes` bytes of output and the line are drawn. */
  reveal(line: OutputLine, outputBytes: number): Promise<RevealOutcome> {
    this.#wanted?.done('superseded');
    return new Promise((done) => {
      this.#wanted = { line, untilOffset: Math.max(outputBytes, line.offset + 1), done };
      this.#look();
    });
  }

  #mark(): void {
    const { active } = this.#terminal.buffer;
    const last = this.#marks.at(-1)?.offset ?? Number.NEGATIVE_INFINITY;
    if (active.type !== 'normal' || this.#drawnOffset - last < MARK_BYTES) return;
    this.#marks = this.#marks.filter(({ marker }) => !marker.isDisposed);
    if (this.#marks.length >= MOST_MARKS) this.#thinOut();
    this.#marks.push({ offset: this.#drawnOffset, marker: this.#terminal.registerMarker(0) });
  }

  #look(): void {
    const wanted = this.#wanted;
    if (!wanted || this.#drawnOffset < wanted.untilOffset) return;
    this.#wanted = null;
    // A screen that replaces missing output may still be pending.
    this.#writer.inTurn(() => wanted.done(this.#show(wanted.line) ? 'shown' : 'gone'));
  }

  #thinOut(): void {
    for (const { marker } of this.#marks.filter((_, index) => index % 2 === 1)) marker.dispose();
    this.#marks = this.#marks.filter(({ marker }) => !marker.isDisposed);
  }

  #show(line: OutputLine): boolean {
    const terminal = this.#terminal;
    const { active } = terminal.buffer;
    const found = nearest(linesWith(active, line.text), this.#rowOf(line.offset));
    if (!found) return false;
    this.#shown?.dispose();
    terminal.scrollToLine(Math.max(0, found.row - Math.floor(terminal.rows / 3)));
    const marker = terminal.registerMarker(found.row - (active.baseY + active.cursorY));
    // xterm.js shows no decoration over a full-screen program, whose lines do not stay in place.
    const decoration = terminal.registerDecoration({
      marker,
      width: terminal.cols,
      height: found.rows,
      layer: 'top',
    });
    decoration?.onRender((element) => element.classList.add('revealed-line'));
    this.#shown = marker;
    return true;
  }

  /** Returns the estimated row of an offset, interpolated between the nearest marks. */
  #rowOf(offset: number): number {
    const { baseY, cursorY } = this.#terminal.buffer.active;
    const marks = this.#marks.filter(({ marker }) => !marker.isDisposed);
    const before = marks.findLast((mark) => mark.offset <= offset);
    const after = marks.find((mark) => mark.offset > offset);
    const from = { offset: before?.offset ?? 0, row: before?.marker.line ?? 0 };
    const to = {
      offset: after?.offset ?? Math.max(this.#drawnOffset, from.offset + 1),
      row: after?.marker.line ?? baseY + cursorY,
    };
    const share = Math.min(1, (offset - from.offset) / (to.offset - from.offset));
    return from.row + share * (to.row - from.row);
  }
}

interface Found {
  readonly row: number;
  readonly rows: number;
}

/** Normalizes blanks: a terminal shows tabs as blanks and drops those at line ends. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function linesWith(buffer: IBuffer, text: string): Found[] {
  const wanted = plain(text);
  const found: Found[] = [];
  for (let row = 0; row < buffer.length;) {
    let shown = '';
    let rows = 0;
    do {
      const continues = buffer.getLine(row + rows + 1)?.isWrapped ?? false;
      shown += buffer.getLine(row + rows)?.translateToString(!continues) ?? '';
      rows += 1;
    } while (buffer.getLine(row + rows)?.isWrapped);
    if (plain(shown).includes(wanted)) found.push({ row, rows });
    row += rows;
  }
  return found;
}

function nearest(found: readonly Found[], row: number): Found | null {
  return found.reduce<Found | null>(
    (best, each) => (best && Math.abs(best.row - row) <= Math.abs(each.row - row) ? best : each),
    null,
  );
}
