// A result that is already serialized as JSON.

/**
 * A result that writes its JSON text directly into the message; for results that are expensive to build as
 * objects.
 */
export class JsonText {
  /** Length in bytes of UTF-8. */
  readonly bytes: number;
  /** Writes the text into the message; must be called synchronously. */
  readonly write: (message: Uint8Array, at: number) => void;
  /**
   * Buffer of a large text, with room for the message around it, so that the text need not be copied; null
   * for other texts.
   */
  readonly roomy: RoomyText | null;

  constructor(
    bytes: number,
    write: (message: Uint8Array, at: number) => void,
    roomy: RoomyText | null = null,
  ) {
    this.bytes = bytes;
    this.write = write;
    this.roomy = roomy;
  }
}

export interface RoomyText {
  readonly memory: Uint8Array;
  /** Offset of the text in `memory`. */
  readonly at: number;
}
