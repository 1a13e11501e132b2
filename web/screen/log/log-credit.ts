// Acknowledgements of output: withheld while somebody reads further up in a full log, so that the lines they see stay;
// not delayed by the hidden terminal, which draws late while the page is in the background.

import { MAX_CHUNK_BYTES } from '../../../protocol/console-constants.ts';

/**
 * Unacknowledged bytes at which a client that is catching up reads no more; one that gets pushed output gets its whole
 * window.
 */
const WAITS_BYTES = MAX_CHUNK_BYTES;

/**
 * Most bytes by which the hidden terminal may be behind: about as much as a log keeps. In a background page the
 * terminal runs for a moment each second, and the program would have to wait for it.
 */
const LATE_BYTES = 8 * 1024 * 1024;

export interface LogCreditOptions {
  /** Returns true when the log has no room for more. */
  readonly isHolding: () => boolean;
  /** Returns true when the terminal draws its output late. */
  readonly isDrawnLate: () => boolean;
  /** Called when the gateway may begin, or no longer has reason, to hold back output. */
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

  /** Returns the callback for the moment when the output has been drawn; the window bounds how many are pending. */
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

  /** Acknowledges the held output; called when the reader is at the end again. */
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
