// Limits the output bytes, per terminal and in total, that are held until they are drawn, beyond those that
// logs retain.

export interface HeldLimits {
  readonly screenHeldBytes: number;
  readonly screensHeldBytes: number;
}

export interface HeldShare {
  /** Sets the number of held bytes of the terminal; returns false, and sets 0, when that is too many. */
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
