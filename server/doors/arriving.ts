// How much of a message is here before its end is, and since when: told from the bytes of its socket and what came of them.

/** Of a control frame from a client: two bytes and its mask. */
const CONTROL_HEAD_BYTES = 6;

export class Arriving {
  #bytes = 0;
  #sinceMs: number | null = null;

  get bytes(): number {
    return this.#bytes;
  }

  /** When the first of them came; null while there are none. */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  /** To be told before what these bytes complete: the beginning of the next message with the end of one is not counted. */
  received(bytes: number, nowMs: number): void {
    this.#bytes += bytes;
    this.#sinceMs ??= nowMs;
  }

  /** A ping or a pong was among them, which may come in the midst of a message. */
  control(payloadBytes: number): void {
    this.#bytes -= CONTROL_HEAD_BYTES + payloadBytes;
    if (this.#bytes <= 0) this.whole();
  }

  /** A message is whole. */
  whole(): void {
    this.#bytes = 0;
    this.#sinceMs = null;
  }
}
