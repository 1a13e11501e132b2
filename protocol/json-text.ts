// A value that is JSON already.

/**
 * A result that writes its JSON text directly into the message; for results that are expensive to build as
 * objects.
 */
export class JsonText {
  /** Length as UTF-8. */
  readonly bytes: number;
  /** Writes the text into the message; must be called synchronously. */
  readonly write: (message: Uint8Array, at: number) => void;
  /** Memory of a large text, with room for a message around it, which then need not be copied; otherwise null. */
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
  /** Start of the text. */
  readonly at: number;
}
