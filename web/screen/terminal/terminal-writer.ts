// Writes to a terminal, sizes among them, each in its turn.
import type { Terminal } from '@xterm/xterm';
import type { Size } from '../../../protocol/scalars.ts';

/** xterm.js lets the page have its turn between pieces, never within one; a piece of the dearest sequences takes some 20 ms. */
const PIECE_BYTES = 2048;

/**
 * A size is for what follows it, and xterm.js parses all that it has been given before it takes a new one: so nothing is
 * given to it while a size waits for its turn.
 */
export class TerminalWriter {
  readonly #terminal: Pick<Terminal, 'write' | 'resize' | 'rows' | 'cols'>;
  /** What waits for a size. Its limit is the credit of whoever prints, as that of the terminal's own queue is. */
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
