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

  constructor(bytes: number, write: (message: Uint8Array, at: number) => void) {
    this.bytes = bytes;
    this.write = write;
  }
}
