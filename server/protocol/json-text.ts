// A value that is JSON already.

/** A result that was made as text, in UTF-8, by whom it would cost much to make it a value first: it is sent as it is. */
export class JsonText {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
