// Tracks the incomplete control sequence or string at the end of output, and returns bytes that begin one of the
// same kind.

import { bytesWithEscapes } from './c1-escapes.ts';

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
/** Characters after ESC that open CSI, OSC, and the other strings (DCS, SOS, PM, APC). */
const OPENERS: ReadonlySet<number> = new Set(Array.from('[]PX^_', (opener) => opener.charCodeAt(0)));

/** Incomplete sequence at the end of output; a native search for the last ESC makes floods cheap. */
export class UnendedSequence {
  /** ESC and the following character, if received; empty outside a sequence. */
  #begun = '';

  /** Processes the next piece of output, which may be split anywhere. */
  take(output: Uint8Array): void {
    const bytes = bytesWithEscapes(output);
    const last = bytes.lastIndexOf(ESC);
    if (last >= 0) this.#begun = '\u001b';
    let from = last + 1;
    if (this.#begun === '\u001b') {
      const opener = bytes[from];
      if (opener === undefined) return;
      this.#begun = OPENERS.has(opener) ? `\u001b${String.fromCharCode(opener)}` : '';
      from += 1;
    }
    if (this.#begun !== '' && hasEnd(this.#begun, bytes.subarray(from))) this.#begun = '';
  }

  /**
   * Bytes that open a sequence of the same kind that a terminal ignores, whatever follows; only ESC if nothing
   * has followed it yet, and empty outside a sequence.
   */
  get opening(): string {
    if (this.#begun.length < 2) return this.#begun;
    return this.#begun === '\u001b[' ? '\u001b[0<' : `${this.#begun}x`;
  }
}

function hasEnd(begun: string, bytes: Uint8Array): boolean {
  if (begun === '\u001b[')
    return bytes.some((byte) => (byte >= 0x40 && byte <= 0x7e) || byte === CAN || byte === SUB);
  if (bytes.includes(CAN) || bytes.includes(SUB)) return true;
  return begun === '\u001b]' && bytes.includes(BEL);
}
