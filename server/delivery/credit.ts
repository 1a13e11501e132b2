// Credit of an attachment for further output, since WebSockets in browsers have no back-pressure.

interface Sent {
  readonly seq: number;
  readonly bytes: number;
}

export interface CreditLimits {
  readonly windowBytes: number;
  readonly windowChunks: number;
  /** Maximum size of a chunk; with this much credit left, any chunk fits. */
  readonly chunkBytes: number;
}

/** Counts decoded bytes and chunks that were sent and have not been acknowledged. */
export class Credit {
  readonly #limits: CreditLimits;
  #sent: Sent[] = [];
  #unacked = 0;

  constructor(limits: CreditLimits) {
    this.#limits = limits;
  }

  get isLeft(): boolean {
    const { windowBytes, windowChunks, chunkBytes } = this.#limits;
    return this.#unacked + chunkBytes <= windowBytes && this.#sent.length < windowChunks;
  }

  get isUntouched(): boolean {
    return this.#sent.length === 0;
  }

  spend(seq: number, bytes: number): void {
    this.#sent.push({ seq, bytes });
    this.#unacked += bytes;
  }

  /** Acknowledges everything up to `seq` as drawn; returns false when nothing new was acknowledged. */
  acknowledge(seq: number): boolean {
    let acked = 0;
    for (const { seq: sentSeq, bytes } of this.#sent) {
      if (sentSeq > seq) break;
      this.#unacked -= bytes;
      acked += 1;
    }
    if (acked > 0) this.#sent = this.#sent.slice(acked);
    return acked > 0;
  }
}
