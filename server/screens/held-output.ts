// Bytes beyond those that logs retain, held until their terminal is drawn: limits for each, and for all together.

export interface HeldLimits {
  readonly screenHeldBytes: number;
  readonly screensHeldBytes: number;
}

/** One terminal's part of the limit. */
export interface HeldShare {
  /** Sets the terminal's current number of bytes; returns false when that is too many, and then it is 0. */
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
