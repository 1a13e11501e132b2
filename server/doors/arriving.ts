// Tracks the number and age of an unfinished message's bytes, from the socket's bytes and the complete messages.

/** Size of a client's control frame without its payload: two bytes and the mask. */
const CONTROL_HEAD_BYTES = 6;

export class Arriving {
  #bytes = 0;
  #sinceMs: number | null = null;

  get bytes(): number {
    return this.#bytes;
  }

  /** Time at which the first of these bytes arrived; null when there are none. */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  /**
   * Counts received bytes; call it before the messages that they complete are handled. The beginning of the next
   * message in the same bytes is not counted.
   */
  received(bytes: number, nowMs: number): void {
    this.#bytes += bytes;
    this.#sinceMs ??= nowMs;
  }

  /** Subtracts a ping or a pong, which may arrive in the middle of a message. */
  control(payloadBytes: number): void {
    this.#bytes -= CONTROL_HEAD_BYTES + payloadBytes;
    if (this.#bytes <= 0) this.whole();
  }

  /** Resets the count; call it when a message is complete. */
  whole(): void {
    this.#bytes = 0;
    this.#sinceMs = null;
  }
}
