// How much output waits, beyond what logs retain, for its terminal to be drawn: of each, and of all together.

export interface HeldLimits {
  readonly screenHeldBytes: number;
  readonly screensHeldBytes: number;
}

/** One terminal's part. */
export interface HeldShare {
  /** Says how much it is now; false where that is too much, and then it is nothing. */
  set(bytes: number): boolean;
}

export class HeldOutput {
  readonly #limits: HeldLimits;
  #bytes = 0;

  constructor(limits: HeldLimits) {
    this.#limits = limits;
  }

  share(): HeldShare {
    const { screenHeldBytes, screensHeldBytes } = this.#limits;
    let own = 0;
    return {
      set: (bytes) => {
        const isAllowed = bytes <= screenHeldBytes && this.#bytes - own + bytes <= screensHeldBytes;
        const next = isAllowed ? bytes : 0;
        this.#bytes += next - own;
        own = next;
        return isAllowed;
      },
    };
  }
}
