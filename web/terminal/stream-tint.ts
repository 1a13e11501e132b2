// Tells stderr from stdout by colour, in the terminal only, and never in the middle of a sequence.
import type { Stream } from '../../server/protocol/process.ts';

const encoder = new TextEncoder();
const TINT = encoder.encode('\u001b[31m');
const PLAIN = encoder.encode('\u001b[39m');
const ESC = 0x1b;
/** Both give up whatever sequence is under way. */
const CAN = 0x18;
const SUB = 0x1a;

/** Where the bytes so far have ended: between characters and sequences, or within one. */
type Place = 'ground' | 'escape' | 'csi' | 'string' | 'stringEscape';

/**
 * Changes colour when the stream changes. Two streams that are printed by turns cut each other's sequences as they
 * would in a terminal; this adds nothing to that, since within one it waits.
 */
export class StreamTint {
  #shown: Stream = 'stdout';
  #place: Place = 'ground';
  /** Bytes of a UTF-8 character still to come. */
  #rest = 0;

  /** What to write to the terminal before these bytes of this stream, if anything. */
  before(stream: Stream, bytes: Uint8Array): Uint8Array | null {
    const isFree = this.#place === 'ground' && this.#rest === 0;
    const change = isFree && stream !== this.#shown && (stream === 'stderr' || this.#shown === 'stderr');
    if (isFree) this.#shown = stream;
    this.#follow(bytes);
    if (!change) return null;
    return stream === 'stderr' ? TINT : PLAIN;
  }

  /** The terminal's colours and its place in any sequence have been reset. */
  restart(): void {
    this.#shown = 'stdout';
    this.#place = 'ground';
    this.#rest = 0;
  }

  #follow(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#rest > 0 && byte >= 0x80 && byte < 0xc0) this.#rest -= 1;
      else this.#step(byte);
    }
  }

  #step(byte: number): void {
    this.#rest = 0;
    if (byte === CAN || byte === SUB) {
      this.#place = 'ground';
      return;
    }
    switch (this.#place) {
      case 'ground':
        if (byte === ESC) this.#place = 'escape';
        else this.#rest = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
        return;
      case 'escape':
        if (byte === 0x5b) this.#place = 'csi';
        else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f)
          this.#place = 'string';
        else if (byte < 0x20 || byte > 0x2f) this.#place = 'ground';
        return;
      case 'csi':
        if (byte === ESC) this.#place = 'escape';
        else if (byte >= 0x40 && byte <= 0x7e) this.#place = 'ground';
        return;
      case 'string':
        if (byte === 0x07) this.#place = 'ground';
        else if (byte === ESC) this.#place = 'stringEscape';
        return;
      case 'stringEscape':
        this.#place = byte === 0x5c ? 'ground' : 'string';
    }
  }
}
