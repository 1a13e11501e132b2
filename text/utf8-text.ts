// Decodes UTF-8 from bytes that were decoded as Latin-1, as xterm.js does: bytes that are not valid are not shown.

declare const TextDecoder: new (
  encoding: 'utf-16le',
  options: { readonly ignoreBOM: boolean },
) => { decode(codes: Uint16Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
/** Turns code units into text many times faster than `String.fromCharCode`. */
export const UTF16 = new TextDecoder('utf-16le', { ignoreBOM: true });

export interface DecodedText {
  readonly text: string;
  /** Place of each code unit's first byte; the halves of a surrogate pair have two of the four bytes each. */
  readonly places: Uint32Array;
}

/** Returns the number of bytes of the valid character that starts at a place; 0 if none starts there. */
function lengthAt(bytes: string, at: number): number {
  const first = bytes.charCodeAt(at);
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let more = 1; more < length; more += 1) {
    const next = bytes.charCodeAt(at + more);
    if (!(next >= 0x80 && next < 0xc0)) return 0;
  }
  const second = bytes.charCodeAt(at + 1);
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second >= 0xa0)) return 0;
  return (first === 0xf0 && second < 0x90) || (first === 0xf4 && second >= 0x90) ? 0 : length;
}

/** Rest of a character that began before the text. */
const CUT_START = /^[\u0080-\u00bf]{0,3}/;
/** Incomplete character after whitespace or another non-ASCII character, where no secret can be open. */
const CUT_END = /(?<=[\s\u0080-\u00ff])[\u00c2-\u00f4][\u0080-\u00bf]{0,2}$/;

/** Returns true if all bytes belong to valid characters, apart from a harmless cut at the start or end. */
export function isUtf8(bytes: string): boolean {
  let at = CUT_START.exec(bytes)?.[0].length ?? 0;
  while (at < bytes.length) {
    const length = lengthAt(bytes, at);
    if (length === 0) return bytes.length - at <= 3 && CUT_END.test(bytes.slice(Math.max(0, at - 1)));
    at += length;
  }
  return true;
}

export function decodedText(bytes: string): DecodedText {
  const codes = new Uint16Array(bytes.length);
  const places = new Uint32Array(bytes.length);
  let length = 0;
  const add = (code: number, place: number): void => {
    codes[length] = code;
    places[length] = place;
    length += 1;
  };
  for (let at = 0; at < bytes.length;) {
    const size = lengthAt(bytes, at);
    if (size > 0) {
      let code = bytes.charCodeAt(at) & (size === 1 ? 0x7f : 0xff >> (size + 1));
      for (let more = 1; more < size; more += 1) code = (code << 6) | (bytes.charCodeAt(at + more) & 0x3f);
      if (code < 0x10000) add(code, at);
      else {
        add(0xd800 + ((code - 0x10000) >> 10), at);
        add(0xdc00 + (code & 0x3ff), at + 2);
      }
    }
    at += Math.max(1, size);
  }
  return { text: UTF16.decode(codes.subarray(0, length)), places: places.subarray(0, length) };
}

/** Returns the number of bytes of a code unit; two for each half of a pair. */
export const bytesOfUnit = (code: number): number =>
  code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;

/** Returns the UTF-8 bytes of a text, decoded as Latin-1. */
export const asBytes = (text: string): string =>
  UTF16.decode(Uint16Array.from(new TextEncoder().encode(text)));
