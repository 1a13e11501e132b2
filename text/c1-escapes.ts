// Rewrites the 8-bit controls (C1) that start or end sequences to ESC and one character, in text and in UTF-8 bytes.
// xterm.js understands both forms; other readers of output then only have to search for one.

const ESC = 0x1b;
/** UTF-8 lead byte of every C1 control; the second byte is the control's code. */
const LEAD = 0xc2;
/** Difference between a control's code and that of the equivalent character after ESC. */
const TO_LETTER = 0x40;
/** DCS, SOS, CSI, ST, OSC, PM and APC, which start and end sequences. */
const DELIMITERS: ReadonlySet<number> = new Set([0x90, 0x98, 0x9b, 0x9c, 0x9d, 0x9e, 0x9f]);
// oxlint-disable-next-line no-control-regex -- these controls are searched for
const IN_TEXT = /[\u0090\u0098\u009b-\u009f]/g;

export const withEscapes = (text: string): string =>
  text.replace(IN_TEXT, (control) => `\u001b${String.fromCharCode(control.charCodeAt(0) - TO_LETTER)}`);

/**
 * Returns output of the same length with these controls rewritten; a new buffer if there were any. An incomplete
 * control at the end is left unchanged.
 */
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
