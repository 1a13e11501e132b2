// Rewrites the 8-bit controls (C1) of sequences, as UTF-8 encodes them, to ESC and a letter: xterm.js understands both,
// and other readers of output then need to search for one form only.

const ESC = 0x1b;
/** Lead byte in UTF-8 of each C1 control; the second byte is the control's own number. */
const LEAD = 0xc2;
/** The distance from each to the letter that means the same after ESC. */
const TO_LETTER = 0x40;
/** DCS, SOS, CSI, ST, OSC, PM, APC: they begin and end sequences. */
const DELIMITERS: ReadonlySet<number> = new Set([0x90, 0x98, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f]);
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const IN_TEXT = /[\u0090\u0098\u009b-\u009f]/g;

/** The same text without them. */
export const withEscapes = (text: string): string =>
  text.replace(IN_TEXT, (control) => `\u001b${String.fromCharCode(control.charCodeAt(0) - TO_LETTER)}`);

/** The same output without them, of as many bytes; a new buffer if there are any. One that is cut in its midst stays. */
export function bytesWithEscapes<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  let escaped: Bytes | null = null;
  for (let at = bytes.indexOf(LEAD); at >= 0; at = bytes.indexOf(LEAD, at + 1)) {
    const control = bytes[at + 1] ?? 0;
    if (!DELIMITERS.has(control)) continue;
    escaped ??= bytes.map((byte) => byte) as Bytes;
    escaped[at] = ESC;
    escaped[at + 1] = control - TO_LETTER;
  }
  return escaped ?? bytes;
}
