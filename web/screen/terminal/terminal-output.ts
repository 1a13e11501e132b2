// What reaches a terminal's screen, in its order: bytes, sizes, screens that stand in for what is missing, and dividers.
import type { Terminal } from '@xterm/xterm';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { Size } from '../../../protocol/scalars.ts';
import { concat } from '../../../client/bytes.ts';
import type { Connection, Output } from '../../../client/exec-client.ts';
import { ExactScreen, type Screen } from '../../../client/exact-screen.ts';
import { bytesText } from '../../../text/amounts.ts';
import { ABORT, HIDE_CURSOR, NOBODY_LISTENS, RESET } from './control-sequences.ts';
import { Dividers } from './dividers.ts';
import type { DueDivider } from './due-dividers.ts';
import type { LineMarks } from './line-marks.ts';

const LINE_FEED = 0x0a;
/** xterm.js lets the page have its turn between pieces, never within one; a piece of the dearest sequences takes some 20 ms. */
const PIECE_BYTES = 2048;

const encoder = new TextEncoder();

export interface TerminalOutputOptions {
  readonly terminal: Terminal;
  readonly writer: TerminalWriter;
  readonly info: ProcessInfo;
  readonly connection: Connection;
  readonly marks: LineMarks;
  /** The terminal has the process's size of that moment. */
  readonly resized: () => void;
  /** Whether what is shown is what a terminal would show that had seen everything. */
  readonly isExact: (isExact: boolean) => void;
  /** Whether somebody reads further up, or selects. */
  readonly isRead: () => boolean;
  /** Whether more has come than is drawn while somebody does. */
  readonly isHeld: (isHeld: boolean) => void;
}

export class TerminalOutput {
  readonly #options: TerminalOutputOptions;
  readonly #writer: TerminalWriter;
  /** Only a terminal has one: what a pipe prints stands on its own. */
  readonly #screen: ExactScreen | null;
  readonly #dividers: Dividers;
  /** Whether the bytes that are being parsed are live, and whether those that were written last are. */
  #isLive = false;
  #isWrittenLive = false;
  /** Without a tty, where the next line would begin. */
  #isAtLineStart = true;
  #missedBytes = 0;
  /** What is there stays until more comes, which does not belong to it. */
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
          // When what was written before is drawn: it still moved.
          owed: (isOwed) => writer.inTurn(() => options.isHeld(isOwed)),
        })
      : null;
    // What is not kept any more will be missing: its screen is asked for before any output is read.
    if (info.firstRetainedSeq > 1) this.#screen?.gap(info.firstRetainedSeq);
    // Without a tty there is no cursor for a program to place.
    if (!info.tty) writer.write(HIDE_CURSOR);
  }

  /** Whether what is being parsed has just been printed, rather than long ago. */
  get isLive(): boolean {
    return this.#isLive;
  }

  output(output: Output, drawn: () => void): void {
    if (!this.#screen?.takes(output, drawn)) this.#give(output, drawn);
  }

  gap({ bytes, nextSeq }: { readonly bytes: number; readonly nextSeq: number }): void {
    this.#missedBytes += bytes;
    if (!this.#screen) this.#divideLines(`${bytesText(bytes)} not shown`);
    else if (this.#screen.gap(nextSeq)) this.#sayMissed();
  }

  resized({ afterSeq, rows, cols }: Size & { readonly afterSeq: number }): void {
    if (this.#screen) this.#screen.size(afterSeq, () => this.#resize({ rows, cols }));
    else this.#resize({ rows, cols });
  }

  /** No more comes; `drawn` when all that came is on the screen. */
  closed(drawn: () => void): void {
    // No program is there to move the cursor any more.
    const close = (): void => this.#writer.write(`${NOBODY_LISTENS}${HIDE_CURSOR}`, drawn);
    if (this.#screen) this.#screen.step(Number.POSITIVE_INFINITY, close);
    else close();
  }

  /** Says something between what has been printed and what comes. */
  divide({ text, afterSeq, isPast }: DueDivider): void {
    const say = (): void => this.#dividers.add(text);
    // A screen that is on its way takes the place of all lines: what has just been done stands below it.
    if (this.#screen) this.#screen.step(isPast ? afterSeq : Number.POSITIVE_INFINITY, say);
    else say();
  }

  /** Its reader is back where the output comes. */
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

  /** A snapshot, in place of all that was there. */
  #draw({ size, data, isExact }: Screen): void {
    this.#beLive(false);
    this.#isToBegin = false;
    this.#resize(size);
    // At once: whoever scrolled between the two would have nothing to scroll in.
    this.#writer.write(concat([encoder.encode(RESET), data]), () => this.#options.marks.redrawn());
    if (this.#missedBytes > 0) this.#sayMissed();
    this.#options.isExact(isExact);
  }

  #sayMissed(): void {
    this.#dividers.addOnTop(`${bytesText(this.#missedBytes)} not shown`);
  }

  /** The screen depends on all that was ever printed: what is left, if anything, begins on an empty one. */
  #drawWithoutScreen(): void {
    this.#isToBegin = true;
    this.#options.isExact(false);
  }

  /** Between lines of a process without a terminal: what is missing has ended its line, and its colours. */
  #divideLines(text: string): void {
    this.#writer.write(`${ABORT}${this.#isAtLineStart ? '' : '\r\n'}`);
    this.#isAtLineStart = true;
    this.#dividers.add(text);
  }
}

/**
 * A size is for what follows it, and xterm.js parses all that it has been given before it takes a new one: so nothing is
 * given to it while a size waits for its turn.
 */
export class TerminalWriter {
  readonly #terminal: Pick<Terminal, 'write' | 'resize' | 'rows' | 'cols'>;
  /** Output that waits for a size. Its limit is the credit of the process, as for the terminal's own queue. */
  #held: (() => void)[] | null = null;

  constructor(terminal: Pick<Terminal, 'write' | 'resize' | 'rows' | 'cols'>) {
    this.#terminal = terminal;
  }

  /** `parsed` when it has been parsed. */
  write(data: string | Uint8Array, parsed?: () => void): void {
    this.#give(() => {
      if (typeof data === 'string') return this.#terminal.write(data, parsed);
      let at = 0;
      while (data.length - at > PIECE_BYTES) this.#terminal.write(data.subarray(at, (at += PIECE_BYTES)));
      this.#terminal.write(data.subarray(at), parsed);
    });
  }

  /** Does something when all has been parsed that was written before, and nothing that is written after. */
  inTurn(act: () => void): void {
    this.write('', act);
  }

  /** `resized` when the terminal has that size, unless it had. */
  resize({ rows, cols }: Size, resized: () => void): void {
    this.#give(() => {
      this.#held = [];
      this.#terminal.write('', () => {
        // A flood brings screens again and again, nearly always of the size that is there: to fit one in costs a layout.
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
