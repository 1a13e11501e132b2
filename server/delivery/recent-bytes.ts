// Counts the bytes recently sent to a reader or pending, which distinguishes an echo from a flood in small
// pieces.

interface Reader {
  /** Decoded bytes before the reader's position. */
  readonly givenBytes: number;
  readonly unreadBytes: number;
}

export class RecentBytes {
  readonly #cursor: Reader;
  #round = -1;
  /** Decoded bytes before the reader's position at the first call in this round. */
  #startBytes = 0;

  constructor(cursor: Reader) {
    this.#cursor = cursor;
  }

  /** Returns the sum of the bytes sent since the first call in this round and of those not sent yet. */
  bytesSince(round: number): number {
    const { givenBytes, unreadBytes } = this.#cursor;
    if (round !== this.#round) {
      this.#round = round;
      this.#startBytes = givenBytes;
    }
    return givenBytes + unreadBytes - this.#startBytes;
  }
}
