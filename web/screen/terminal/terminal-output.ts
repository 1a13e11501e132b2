// Terminal output in order: bytes, sizes, screens that replace missing output, and markers.
import type { Terminal } from '@xterm/xterm';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { Size } from '../../../protocol/scalars.ts';
import { concat } from '../../../client/bytes.ts';
import type { Connection, Output } from '../../../client/exec-client.ts';
import { ExactScreen, type Screen } from '../../../client/exact-screen.ts';
import { skippedText } from '../../../text/missing-output.ts';
import { ABORT, HIDE_CURSOR, REPORTS_OFF, RESET } from './control-sequences.ts';
import { Dividers } from './dividers.ts';
import type { DueDivider } from './due-dividers.ts';
import type { LineMarks } from './line-marks.ts';

const LINE_FEED = 0x0a;
/**
 * Bytes per write: xterm.js yields to the page only between writes, and a write full of the slowest sequences takes
 * about 20 ms.
 */
const PIECE_BYTES = 2048;

const encoder = new TextEncoder();

export interface TerminalOutputOptions {
  readonly terminal: Terminal;
  readonly writer: TerminalWriter;
  readonly info: ProcessInfo;
  readonly connection: Connection;
  readonly marks: LineMarks;
  /** Called after the terminal was resized to the process's size at that point of the output. */
  readonly resized: () => void;
  /**
   * Called when a snapshot is drawn, or is not available; true if the terminal then shows the same screen as one that
   * received all output.
   */
  readonly isExact: (isExact: boolean) => void;
  /** Returns true while the reader has scrolled up or is selecting; see `Follow.isRead`. */
  readonly isRead: () => boolean;
  /** Called with true when received output is not drawn because the user is reading, and with false afterwards. */
  readonly isHeld: (isHeld: boolean) => void;
}

export class TerminalOutput {
  readonly #options: TerminalOutputOptions;
  readonly #writer: TerminalWriter;
  /** The exact screen of a tty; null for a pipe, whose output does not depend on a screen. */
  readonly #screen: ExactScreen | null;
  readonly #dividers: Dividers;
  /** True while the bytes being parsed are live; `#isWrittenLive` is the same for the bytes written last. */
  #isLive = false;
  #isWrittenLive = false;
  /** True when the cursor is at the start of a line; only needed without a tty. */
  #isAtLineStart = true;
  #missedBytes = 0;
  /** True when the next output must start on an empty screen; the current screen stays until then. */
  #isToBegin = false;

  constructor(options: TerminalOutputOptions) {
    const { terminal, writer, info, connection } = options;
    this.#options = options;
    this.#writer = writer;
    this.#dividers = new Dividers(terminal, writer);
    this.#screen = info.tty
      ? new ExactScreen({
          key: info.key,
          connection,
          scrollbackAtGap: null,
          draw: (screen) => this.#draw(screen),
          give: (output, drawn) => this.#give(output, drawn),
          failed: () => this.#drawWithoutScreen(),
          isRead: options.isRead,
          whenDrawn: (then) => writer.inTurn(then),
          // Report this after earlier writes are drawn, since these still move the view.
          owed: (isOwed) => writer.inTurn(() => options.isHeld(isOwed)),
        })
      : null;
    // The evicted beginning is a gap: request the screen after it before any output arrives.
    if (info.firstRetainedSeq > 1) this.#screen?.gap(info.firstRetainedSeq);
    // No program positions the cursor without a tty.
    if (!info.tty) writer.write(HIDE_CURSOR);
  }

  /** True while the bytes being parsed are new, not replayed. */
  get isLive(): boolean {
    return this.#isLive;
  }

  output(output: Output, drawn: () => void): void {
    if (!this.#screen?.takes(output, drawn)) this.#give(output, drawn);
  }

  gap({ bytes, nextSeq }: { readonly bytes: number; readonly nextSeq: number }): void {
    this.#missedBytes += bytes;
    if (!this.#screen) this.#divideLines(skippedText(bytes));
    else if (this.#screen.gap(nextSeq)) this.#reportMissed();
  }

  resized({ afterSeq, rows, cols }: Size & { readonly afterSeq: number }): void {
    if (this.#screen) this.#screen.size(afterSeq, () => this.#resize({ rows, cols }));
    else this.#resize({ rows, cols });
  }

  /** Ends the output; calls `drawn` once all of it is on the screen. */
  closed(drawn: () => void): void {
    // The program has exited, so the cursor and reports are turned off.
    const close = (): void => this.#writer.write(`${REPORTS_OFF}${HIDE_CURSOR}`, drawn);
    if (this.#screen) this.#screen.step(Number.POSITIVE_INFINITY, close);
    else close();
  }

  /** Adds a marker after all output so far; for an older act, right after the event `afterSeq`. */
  divide({ text, afterSeq, isPast }: DueDivider): void {
    const add = (): void => this.#dividers.add(text);
    // A pending screen will replace all lines, so the marker of a recent act must go below it.
    if (this.#screen) this.#screen.step(isPast ? afterSeq : Number.POSITIVE_INFINITY, add);
    else add();
  }

  /** Called, possibly repeatedly, when the reader is at the end and nothing is selected. */
  readToEnd(): void {
    this.#screen?.readToEnd();
  }

  stop(): void {
    this.#screen?.stop();
  }

  #give({ bytes, live }: Output, drawn: () => void): void {
    this.#beLive(live);
    if (this.#isToBegin) this.#writer.write(RESET);
    this.#isToBegin = false;
    this.#writer.write(bytes, this.#options.marks.written(drawn));
    this.#isAtLineStart = bytes.at(-1) === LINE_FEED;
  }

  #beLive(isLive: boolean): void {
    if (isLive === this.#isWrittenLive) return;
    this.#isWrittenLive = isLive;
    this.#writer.inTurn(() => {
      this.#isLive = isLive;
    });
  }

  #resize(size: Size): void {
    this.#writer.resize(size, this.#options.resized);
  }

  /** Draws a snapshot in place of all earlier output. */
  #draw({ size, data, isExact }: Screen): void {
    this.#beLive(false);
    this.#isToBegin = false;
    this.#resize(size);
    // Reset and screen go in one write, since a person could scroll the empty buffer between two.
    this.#writer.write(concat([encoder.encode(RESET), data]), () => this.#options.marks.redrawn());
    if (this.#missedBytes > 0) this.#reportMissed();
    this.#options.isExact(isExact);
  }

  #reportMissed(): void {
    this.#dividers.addOnTop(skippedText(this.#missedBytes));
  }

  /** Starts later output on an empty screen, since the screen that it would continue is not available. */
  #drawWithoutScreen(): void {
    this.#isToBegin = true;
    this.#options.isExact(false);
  }

  /** Adds a marker between lines of pipe output: missing output ends the line and its colours. */
  #divideLines(text: string): void {
    this.#writer.write(`${ABORT}${this.#isAtLineStart ? '' : '\r\n'}`);
    this.#isAtLineStart = true;
    this.#dividers.add(text);
  }
}

/**
 * Writes to a terminal while preserving the order of sizes and output. A size applies to the output after it, but an
 * xterm.js resize first parses everything written so far; therefore nothing is written while a size is pending.
 */
export class TerminalWriter {
  readonly #terminal: Pick<Terminal, 'write' | 'resize' | 'rows' | 'cols'>;
  /** Steps waiting for a pending size; null when none is pending. The process's credit limits their output. */
  #held: (() => void)[] | null = null;

  constructor(terminal: Pick<Terminal, 'write' | 'resize' | 'rows' | 'cols'>) {
    this.#terminal = terminal;
  }

  /** Writes data; calls `parsed` once it has been parsed. */
  write(data: string | Uint8Array, parsed?: () => void): void {
    this.#give(() => {
      if (typeof data === 'string') return this.#terminal.write(data, parsed);
      let at = 0;
      while (data.length - at > PIECE_BYTES) this.#terminal.write(data.subarray(at, (at += PIECE_BYTES)));
      this.#terminal.write(data.subarray(at), parsed);
    });
  }

  /** Runs `act` after all earlier writes have been parsed and before any later ones. */
  inTurn(act: () => void): void {
    this.write('', act);
  }

  /** Resizes the terminal; calls `resized` afterwards, unless the size is unchanged. */
  resize({ rows, cols }: Size, resized: () => void): void {
    this.#give(() => {
      this.#held = [];
      this.#terminal.write('', () => {
        // A flood brings many screens, nearly always of the same size, and a needless fit costs a layout.
        const isOther = this.#terminal.rows !== rows || this.#terminal.cols !== cols;
        if (isOther) {
          this.#terminal.resize(cols, rows);
          resized();
        }
        const held = this.#held ?? [];
        this.#held = null;
        for (const step of held) this.#give(step);
      });
    });
  }

  #give(step: () => void): void {
    if (this.#held) this.#held.push(step);
    else step();
  }
}
