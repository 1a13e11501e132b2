// Credit that waits while somebody reads further up and there is no room for more: then no more is sent, and nothing moves.

export class HeldCredit {
  readonly #isHolding: () => boolean;
  readonly #changed: (isHeld: boolean) => void;
  #held: (() => void)[] = [];

  /** `changed`: credit has begun to wait, or waits no more. */
  constructor(isHolding: () => boolean, changed: (isHeld: boolean) => void) {
    this.#isHolding = isHolding;
    this.#changed = changed;
  }

  /** What is called when output has been drawn; the window bounds how often before the gateway waits. */
  for(drawn: () => void): () => void {
    return () => {
      if (!this.#isHolding()) return drawn();
      this.#held.push(drawn);
      if (this.#held.length === 1) this.#changed(true);
    };
  }

  /** The reader is back where the output comes. */
  release(): void {
    if (this.#held.length === 0 || this.#isHolding()) return;
    const held = this.#held;
    this.#held = [];
    this.#changed(false);
    for (const drawn of held) drawn();
  }
}
