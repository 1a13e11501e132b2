// Tells stderr from stdout by colour, in the terminal only, and never in the middle of a sequence.
import type { Stream } from '../../server/protocol/process.ts';

const encoder = new TextEncoder();
const TINT = encoder.encode('\u001b[31m');
const PLAIN = encoder.encode('\u001b[39m');
const ESC = 0x1b;
/** Both give up whatever sequence is under way. */
const CAN = 0x18;
const SUB = 0x1a;
/** As many as a terminal reads of one sequence; what has more is not looked at. */
const MOST_PARAMS = 128;

/** Where the bytes so far have ended: between characters and sequences, or within one. */
type Place = 'ground' | 'escape' | 'csi' | 'string' | 'stringEscape';

/**
 * Changes colour when the stream changes, and again when stderr goes back to the usual colour. Two streams that are
 * printed by turns cut each other's sequences as they would in a terminal; this adds nothing to that, since within one
 * it waits.
 */
export class StreamTint {
  #shown: Stream = 'stdout';
  #place: Place = 'ground';
  #params = '';
  /** Bytes of a UTF-8 character still to come. */
  #rest = 0;

  /** What to write to the terminal for these bytes of this stream: the bytes, and colours between them. */
  tinted(stream: Stream, bytes: Uint8Array): Uint8Array[] {
    const isFree = this.#place === 'ground' && this.#rest === 0;
    const change = isFree && stream !== this.#shown && (stream === 'stderr' || this.#shown === 'stderr');
    if (isFree) this.#shown = stream;
    const written: Uint8Array[] = [];
    if (change) written.push(stream === 'stderr' ? TINT : PLAIN);
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      if (!this.#step(bytes[at] ?? 0) || this.#shown !== 'stderr') continue;
      written.push(bytes.subarray(from, at + 1), TINT);
      from = at + 1;
    }
    if (from < bytes.length || written.length === 0) written.push(bytes.subarray(from));
    return written;
  }

  /** The terminal's colours and its place in any sequence have been reset. */
  restart(): void {
    this.#shown = 'stdout';
    this.#place = 'ground';
    this.#rest = 0;
  }

  /** Whether that byte has ended a sequence after which letters have the usual colour. */
  #step(byte: number): boolean {
    if (this.#rest > 0 && byte >= 0x80 && byte < 0xc0) {
      this.#rest -= 1;
      return false;
    }
    this.#rest = 0;
    if (byte === CAN || byte === SUB) {
      this.#place = 'ground';
      return false;
    }
    switch (this.#place) {
      case 'ground':
        if (byte === ESC) this.#place = 'escape';
        else this.#rest = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0 ? 1 : 0;
        return false;
      case 'escape':
        this.#params = '';
        if (byte === 0x5b) this.#place = 'csi';
        else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f)
          this.#place = 'string';
        else if (byte < 0x20 || byte > 0x2f) this.#place = 'ground';
        return false;
      case 'csi':
        if (byte === ESC) this.#place = 'escape';
        else if (byte >= 0x40 && byte <= 0x7e) {
          this.#place = 'ground';
          return byte === 0x6d && endsPlain(this.#params);
        } else if (this.#params.length < MOST_PARAMS) this.#params += String.fromCharCode(byte);
        return false;
      case 'string':
        if (byte === 0x07) this.#place = 'ground';
        else if (byte === ESC) this.#place = 'stringEscape';
        return false;
      case 'stringEscape':
        this.#place = byte === 0x5c ? 'ground' : 'string';
        return false;
    }
  }
}

/** Whether the last word of an SGR on the colour of letters is that they have none of their own. */
function endsPlain(params: string): boolean {
  if (!/^[\d;:]*$/.test(params)) return false;
  let isPlain = false;
  const codes = params.split(';');
  for (let at = 0; at < codes.length; at += 1) {
    const text = codes[at] ?? '';
    const code = Number.parseInt(text, 10) || 0;
    if (code === 0 || code === 39) isPlain = true;
    else if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) isPlain = false;
    // The numbers of an extended colour are no codes.
    if ((code === 38 || code === 48) && !text.includes(':')) at += codes[at + 1] === '5' ? 2 : 4;
  }
  return isPlain;
}
