// A terminal without a display: fed with a process's output, it can return a snapshot for a fresh terminal at
// any time.
import headless from '@xterm/headless';
import { bytesWithEscapes } from '../../text/c1-escapes.ts';
import type { Size } from '../../protocol/scalars.ts';
import { cellsOf } from './cells.ts';
import { takeTurns } from './costly-sequences.ts';
import { ENDLESS_TURN, type Turn } from './drawing-turns.ts';
import type { ScreenName } from './inside.ts';
import type { Picture } from './messages.ts';
import { completeLength, shownLength } from './open-sequence.ts';
import { applyTerminalRules, TERMINAL_OPTIONS } from '../../text/terminal-rules.ts';
import { nextWidth } from './resize-widths.ts';
import { pictureOf } from './styled-lines.ts';
import { UnendedSequence } from '../../text/unended-sequence.ts';
import { TrackedState } from './tracked-state.ts';

/**
 * Maximum bytes of an unfinished sequence or string that are held back; a longer one is passed to the terminal
 * as it arrives, and a snapshot then ends with only an opening of the same kind.
 */
const OPEN_BYTES = 64 * 1024;

/**
 * Number of cells above which a terminal counts as large, and the size of the parts in which its text is drawn,
 * because each character may scroll the screen or shift a long line.
 */
const LARGE_CELLS = 32 * 1024;
const PART_BYTES = 2 * 1024;

/** CAN, which ends any open sequence or string. */
const ABORT = Buffer.from('\u0018');

/** Number of lines that each screen must still scroll before nothing affected by a gap is left. */
export type SpoiltLines = Readonly<Record<ScreenName, number>>;

export class Screen {
  readonly #scrollback: number;
  readonly #terminal: headless.Terminal;
  readonly #state: TrackedState;
  /** Bytes of an unfinished sequence or character. */
  #open: Buffer = Buffer.alloc(0);
  /** Tracks the unfinished sequence at the end of the drawn output. */
  readonly #unended = new UnendedSequence();
  #spoiltLines: SpoiltLines = { normal: 0, alternate: 0 };
  readonly #turn: Turn;
  /** Ends the wait for bytes to be drawn. */
  #endWrite: (() => void) | null = null;
  #isBusy = false;
  #isDisposed = false;

  constructor({ rows, cols }: Size, scrollback: number, turn: Turn = ENDLESS_TURN) {
    this.#scrollback = scrollback;
    this.#turn = turn;
    this.#terminal = new headless.Terminal({ ...TERMINAL_OPTIONS, rows, cols, scrollback });
    applyTerminalRules(this.#terminal);
    this.#state = new TrackedState(this.#terminal, (which) => {
      this.#spoiltLines = { ...this.#spoiltLines, [which]: 0 };
    });
    this.#terminal.onScroll(() => {
      if (this.isExact || this.#state.hasRegion) return;
      const { type } = this.#terminal.buffer.active;
      this.#spoiltLines = { ...this.#spoiltLines, [type]: this.#spoiltLines[type] - 1 };
    });
    takeTurns(this.#terminal, turn);
  }

  get size(): Size {
    return { rows: this.#terminal.rows, cols: this.#terminal.cols };
  }

  /** False after a gap, until everything on the shown screen was redrawn: cleared, reset, or scrolled away. */
  get isExact(): boolean {
    return this.#spoiltLines[this.#terminal.buffer.active.type] === 0;
  }

  /**
   * Continues after skipped output: aborts an open sequence, applies `state` (the settings after the gap), and
   * marks all lines as spoilt.
   */
  async gap(state: Buffer): Promise<void> {
    this.#open = Buffer.alloc(0);
    await this.feed(Buffer.concat([ABORT, state]));
    const { rows } = this.#terminal;
    this.spoil({ normal: rows + this.#scrollback, alternate: rows });
  }

  /** Number of spoilt lines of each screen, including the hidden one. */
  get spoiltLines(): SpoiltLines {
    return this.#spoiltLines;
  }

  spoil(lines: SpoiltLines): void {
    this.#spoiltLines = lines;
  }

  /** Feeds bytes; resolves when they have been drawn, except an unfinished sequence or character at the end. */
  feed(bytes: Buffer): Promise<void> {
    const all = bytesWithEscapes(this.#open.length > 0 ? Buffer.concat([this.#open, bytes]) : bytes);
    const complete = completeLength(all, this.#open.length);
    const length = all.length - complete > OPEN_BYTES ? all.length : complete;
    this.#open = Buffer.from(all.subarray(length));
    return this.#busy(() => this.#draw(all.subarray(0, length)));
  }

  /** Resizes the terminal; a character that may still be extended is printed at the previous size. */
  resize({ rows, cols }: Size): Promise<void> {
    const shown = shownLength(this.#open);
    const character = this.#open.subarray(0, shown);
    this.#open = this.#open.subarray(shown);
    return this.#busy(async () => {
      await this.#draw(character);
      if (this.#isDisposed) return;
      for (let width = this.#nextWidth(cols); width > cols; width = this.#nextWidth(cols)) {
        this.#terminal.resize(width, rows);
        if (this.#turn.isOver) await this.#turn.again();
        if (this.#isDisposed) return;
      }
      this.#terminal.resize(cols, rows);
    });
  }

  #nextWidth(cols: number): number {
    return nextWidth({ lines: this.#terminal.buffer.normal.length, cols: this.#terminal.cols }, cols);
  }

  /** True while the terminal is being drawn or read, even between two turns. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Cells on the screen and above it. */
  get cells(): number {
    return this.#terminal.buffer.normal.length * this.#terminal.cols;
  }

  async #busy(work: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    await work();
    this.#isBusy = false;
  }

  async #draw(bytes: Buffer): Promise<void> {
    this.#unended.take(bytes);
    const most = this.#isLarge ? PART_BYTES : bytes.length;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + most);
      // A part without a place to split it is a long string, which costs little.
      const length = at + most < bytes.length ? completeLength(part) || bytes.length - at : part.length;
      await this.#write(bytes.subarray(at, at + length));
      at += length;
      // A disposed screen does not call `again`, which could end another screen's turn.
      if (!this.#isDisposed && this.#turn.isOver && at < bytes.length) await this.#turn.again();
      if (this.#isDisposed) return;
    }
  }

  /** Writes to the terminal; resolves when that is drawn, or the screen is disposed. */
  async #write(bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#endWrite = resolve;
      this.#terminal.write(bytes, resolve);
    });
  }

  get #isLarge(): boolean {
    return this.#terminal.rows * this.#terminal.cols > LARGE_CELLS;
  }

  /**
   * Returns output that, on a fresh terminal of this size, restores this screen, its modes and the
   * `scrollback` newest lines above it.
   */
  snapshot(scrollback: number): Buffer {
    return this.#bytesOf([...this.#snapshotParts(scrollback)]);
  }

  /** Variant of `snapshot` that takes as many turns as it needs. */
  async snapshotInTurns(scrollback: number): Promise<Buffer> {
    const parts: string[] = [];
    await this.#busy(async () => {
      for (const part of this.#snapshotParts(scrollback)) {
        parts.push(part);
        if (this.#turn.isOver) await this.#turn.again();
        if (this.#isDisposed) break;
      }
    });
    return this.#bytesOf(parts);
  }

  #bytesOf(parts: readonly string[]): Buffer {
    return Buffer.concat([Buffer.from(parts.join('')), this.#open]);
  }

  *#snapshotParts(scrollback: number): Generator<string> {
    const { normal, alternate, active } = this.#terminal.buffer;
    if (active.type === 'normal') yield this.#state.header();
    yield* cellsOf(this.#terminal, normal, Math.max(0, normal.baseY - scrollback));
    if (active.type === 'alternate') {
      yield this.#state.toAlternate();
      yield* cellsOf(this.#terminal, alternate, 0);
    }
    yield this.#state.trailer() + this.#unended.opening;
  }

  /**
   * Returns the picture. An unfinished last character is drawn only on a copy, because this terminal draws only
   * complete ones; the picture of a large screen lacks that character.
   */
  async picture(): Promise<Picture> {
    if (this.#open.length === 0 || this.#isLarge) return pictureOf(this.#terminal);
    const copy = new headless.Terminal({ ...TERMINAL_OPTIONS, ...this.size, scrollback: 0 });
    applyTerminalRules(copy);
    await new Promise<void>((resolve) => copy.write(this.snapshot(0), resolve));
    const picture = pictureOf(copy);
    copy.dispose();
    return picture;
  }

  /** Disposes of the terminal, and ends a drawing in progress. */
  dispose(): void {
    this.#isDisposed = true;
    this.#terminal.dispose();
    this.#endWrite?.();
  }
}
