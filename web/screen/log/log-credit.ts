// Acknowledgements of output. They are withheld while the reader of a full log has scrolled up or selected text, since
// the log then evicts nothing and must not grow. In a background page, where a terminal draws late, they are sent
// before drawing, within a limit.

import { MAX_CHUNK_BYTES } from '../../../protocol/console-constants.ts';

/**
 * Unacknowledged bytes at which a client that is catching up stops reading; pushed output stops only when the whole
 * window is unacknowledged.
 */
const WAITS_BYTES = MAX_CHUNK_BYTES;

/**
 * Maximum number of bytes by which a hidden terminal may lag. In a background page the terminal runs only briefly each
 * second, and the program would otherwise wait for it.
 */
const LATE_BYTES = 8 * 1024 * 1024;

export interface LogCreditOptions {
  /** Returns true when the log is full and its reader has scrolled up or selected text. */
  readonly isHolding: () => boolean;
  /** Returns true when the terminal draws with a delay. */
  readonly isDrawnLate: () => boolean;
  /** Called with true when withheld acknowledgements stop further output, and with false when they are released. */
  readonly changed: (isHeld: boolean) => void;
}

export class LogCredit {
  readonly #options: LogCreditOptions;
  #lateBytes = 0;
  #held: (() => void)[] = [];
  #heldBytes = 0;

  constructor(options: LogCreditOptions) {
    this.#options = options;
  }

  /**
   * Returns the callback to call once the output is drawn, in order to acknowledge it; output that will be drawn late
   * is acknowledged immediately, within `LATE_BYTES`.
   */
  for(drawn: () => void, bytes: number): () => void {
    if (!this.#options.isDrawnLate() || this.#lateBytes + bytes > LATE_BYTES) {
      return () => this.#give(drawn, bytes);
    }
    this.#lateBytes += bytes;
    this.#give(drawn, bytes);
    return () => {
      this.#lateBytes -= bytes;
    };
  }

  /** Acknowledges the withheld output, unless it must still be withheld. */
  release(): void {
    if (this.#held.length === 0 || this.#options.isHolding()) return;
    const held = this.#held;
    this.#held = [];
    if (this.#heldBytes >= WAITS_BYTES) this.#options.changed(false);
    this.#heldBytes = 0;
    for (const drawn of held) drawn();
  }

  #give(drawn: () => void, bytes: number): void {
    const { isHolding, changed } = this.#options;
    if (!isHolding()) return drawn();
    const didWait = this.#heldBytes >= WAITS_BYTES;
    this.#held.push(drawn);
    this.#heldBytes += bytes;
    if (!didWait && this.#heldBytes >= WAITS_BYTES) changed(true);
  }
}
