// Credit for what has come: it waits while somebody reads a log further up and there is no room for more, so that nothing
// moves; and it does not wait for a terminal that draws it while nobody sees the page.

import { MAX_CHUNK_BYTES } from '../../../protocol/console-constants.ts';

/** With so much not acknowledged a client that catches up asks for no more; one that is pushed to gets its window full. */
const WAITS_BYTES = MAX_CHUNK_BYTES;

/**
 * What that terminal may be behind: about as much as a log keeps. In a hidden page it gets a moment in each second, and
 * whoever prints would wait for that.
 */
const LATE_BYTES = 8 * 1024 * 1024;

export interface LogCreditOptions {
  /** Whether there is no room for more. */
  readonly isHolding: () => boolean;
  /** Whether the terminal draws what comes late. */
  readonly isDrawnLate: () => boolean;
  /** There may be, or is no more, output that is not sent. */
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

  /** What is called when output has been drawn; the window bounds how often before the gateway waits. */
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

  /** The reader is back where the output comes. */
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
