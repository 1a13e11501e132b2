// Credit that waits while somebody reads further up and there is no room for more: then no more is sent, and nothing moves.

import { MAX_CHUNK_BYTES } from '../../server/protocol/console-constants.ts';

/** With so much not acknowledged a client that catches up asks for no more; one that is pushed to gets its window full. */
const WAITS_BYTES = MAX_CHUNK_BYTES;

export class HeldCredit {
  readonly #isHolding: () => boolean;
  readonly #changed: (isHeld: boolean) => void;
  #held: (() => void)[] = [];
  #heldBytes = 0;

  /** `changed`: there may be, or is no more, output that is not sent. */
  constructor(isHolding: () => boolean, changed: (isHeld: boolean) => void) {
    this.#isHolding = isHolding;
    this.#changed = changed;
  }

  /** What is called when output has been drawn; the window bounds how often before the gateway waits. */
  for(drawn: () => void, bytes: number): () => void {
    return () => {
      if (!this.#isHolding()) return drawn();
      const didWait = this.#heldBytes >= WAITS_BYTES;
      this.#held.push(drawn);
      this.#heldBytes += bytes;
      if (!didWait && this.#heldBytes >= WAITS_BYTES) this.#changed(true);
    };
  }

  /** The reader is back where the output comes. */
  release(): void {
    if (this.#held.length === 0 || this.#isHolding()) return;
    const held = this.#held;
    this.#held = [];
    if (this.#heldBytes >= WAITS_BYTES) this.#changed(false);
    this.#heldBytes = 0;
    for (const drawn of held) drawn();
  }
}
