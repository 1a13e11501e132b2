// A value that is JSON already.

/** A result written as text straight into its message, for results that are expensive to build as values first. */
export class JsonText {
  /** Length of its UTF-8. */
  readonly bytes: number;
  /** Writes it into the message; synchronously or never. */
  readonly write: (message: Uint8Array, at: number) => void;

  constructor(bytes: number, write: (message: Uint8Array, at: number) => void) {
    this.bytes = bytes;
    this.write = write;
  }
}
