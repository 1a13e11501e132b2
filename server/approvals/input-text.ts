// Input as text for people, in which different bytes always look different.
import { isUtf8 } from 'node:buffer';
import { visibleLines } from '../../text/visible.ts';

/** Maximum length of a character, in bytes. */
const LONGEST = 4;

/** Backslash of typed text that looks like an escape. */
const LOOKS_ESCAPED = /\\(?=x[\da-f]{2}|u[\da-f]{4}|u\{)/g;

/**
 * Returns the text with hidden characters and bytes that are not UTF-8 as escapes, such as `\x1b` and `\xff`. A typed
 * backslash becomes `\x5c` where it would begin such an escape.
 */
export function inputText(bytes: Buffer): string {
  let text = '';
  /** Start of the valid UTF-8 bytes that are not in the text yet. */
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(bytes, at);
    if (length === 0) {
      text += `${typedText(bytes.subarray(from, at))}\\x${bytes.toString('hex', at, at + 1)}`;
      from = at + 1;
    }
    at += Math.max(length, 1);
  }
  return text + typedText(bytes.subarray(from));
}

const typedText = (bytes: Buffer): string =>
  visibleLines(bytes.toString('utf8').replace(LOOKS_ESCAPED, String.raw`\x5c`));

/** Returns the length of the character at this offset, in bytes; 0 when there is none. */
function lengthAt(bytes: Buffer, at: number): number {
  for (let length = 1; length <= Math.min(LONGEST, bytes.length - at); length += 1) {
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}
