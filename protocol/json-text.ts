// A value that is JSON already.

/** A result that is written as text, straight into its message, by whom it would cost much to make it a value first. */
export class JsonText {
  /** Of its UTF-8. */
  readonly bytes: number;
  /** Puts it there; at once or never. */
  readonly write: (message: Uint8Array, at: number) => void;

  constructor(bytes: number, write: (message: Uint8Array, at: number) => void) {
    this.bytes = bytes;
    this.write = write;
  }
}
