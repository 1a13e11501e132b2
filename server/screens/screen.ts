// A terminal without a display: fed with a process's output, it can return a snapshot for a fresh terminal at
// any time.
import headless from '@xterm/headless';
import { bytesWithEscapes } from '../../text/c1-escapes.ts';
import type { Size } from '../../protocol/scalars.ts';
import { cellsOf } from './cells.ts';
import type { ScreenName } from './inside.ts';
import type { Picture } from './messages.ts';
import { completeLength, shownLength } from './open-sequence.ts';
import { applyTerminalRules, TERMINAL_OPTIONS } from '../../text/terminal-rules.ts';
import { styledLines } from './styled-lines.ts';
import { UnendedSequence } from '../../text/unended-sequence.ts';
import { TrackedState } from './tracked-state.ts';

/**
 * Maximum bytes of an open sequence or string; a longer one is drawn as it arrives, and a snapshot then has
 * only its kind.
 */
const OPEN_BYTES = 64 * 1024;

/** Ends any open sequence or string. */
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

  constructor({ rows, cols }: Size, scrollback: number) {
    this.#scrollback = scrollback;
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
  }

  get size(): Size {
    return { rows: this.#terminal.rows, cols: this.#terminal.cols };
  }

  /** False after a gap, until everything was redrawn: cleared, reset, or scrolled away. */
  get isExact(): boolean {
    return this.#spoiltLines[this.#terminal.buffer.active.type] === 0;
  }

  /** Skips missed output: aborts an open sequence and applies `state`, the settings after the gap. */
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

  /** Feeds bytes; resolves when they have been drawn. */
  feed(bytes: Buffer): Promise<void> {
    const all = bytesWithEscapes(this.#open.length > 0 ? Buffer.concat([this.#open, bytes]) : bytes);
    const complete = completeLength(all, this.#open.length);
    const length = all.length - complete > OPEN_BYTES ? all.length : complete;
    this.#open = Buffer.from(all.subarray(length));
    return this.#draw(all.subarray(0, length));
  }

  /** Resizes the terminal; a character that may still be extended is printed at the previous size. */
  async resize({ rows, cols }: Size): Promise<void> {
    const shown = shownLength(this.#open);
    await this.#draw(this.#open.subarray(0, shown));
    this.#open = this.#open.subarray(shown);
    this.#terminal.resize(cols, rows);
  }

  #draw(bytes: Buffer): Promise<void> {
    this.#unended.take(bytes);
    return new Promise((resolve) => this.#terminal.write(bytes, resolve));
  }

  /**
   * Returns output that, on a fresh terminal of this size, restores this screen, its modes and the
   * `scrollback` newest lines above.
   */
  snapshot(scrollback: number): Buffer {
    const { normal, alternate, active } = this.#terminal.buffer;
    const cells = cellsOf(this.#terminal, normal, Math.max(0, normal.baseY - scrollback));
    const parts =
      active.type === 'normal'
        ? [this.#state.header(), cells]
        : [cells, this.#state.toAlternate(), cellsOf(this.#terminal, alternate, 0)];
    const text = parts.join('') + this.#state.trailer() + this.#unended.opening;
    return Buffer.concat([Buffer.from(text), this.#open]);
  }

  /**
   * Returns the picture. An unfinished last character is drawn only on a copy, because this terminal waits
   * until it is complete.
   */
  async picture(): Promise<Picture> {
    if (this.#open.length === 0) return { ...this.size, lines: styledLines(this.#terminal) };
    const copy = new headless.Terminal({ ...TERMINAL_OPTIONS, ...this.size, scrollback: 0 });
    applyTerminalRules(copy);
    await new Promise<void>((resolve) => copy.write(this.snapshot(0), resolve));
    const lines = styledLines(copy);
    copy.dispose();
    return { ...this.size, lines };
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
