// Finds places to split output: before an incomplete control sequence or character.
import { lastClusterStart } from '../../text/characters.ts';

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;

/** Bytes after ESC that begin a string with a terminator: DCS, SOS, OSC, PM, APC. */
const STRINGS: ReadonlySet<number> = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);
const DELETE = 0x7f;
const OSC = 0x5d;
const CSI = 0x5b;
const SINGLE_SHIFTS: ReadonlySet<number> = new Set([0x4e, 0x4f]);

/**
 * Returns the number of complete bytes of `output`, if nothing is open at its beginning; the rest belongs to
 * the next output. `known` is the number of bytes left over from the last call; a sequence that begins with
 * them cannot end in them.
 */
export function completeLength(output: Buffer, known = 0): number {
  const last = output.lastIndexOf(ESC);
  if (last < 0) return completeText(output, 0);
  const start = stringAround(output, last, known) ?? last;
  const end = endOf(output, start, known);
  if (end !== null) {
    const length = completeText(output, end);
    // SS2 and SS3 apply to the next character, so they are held back until it is complete.
    return length <= end && SINGLE_SHIFTS.has(output[start + 1] ?? 0) ? start : length;
  }
  return mayRepeat(output.subarray(start + 1)) ? completeBefore(output.subarray(0, start)) : start;
}

/** Returns true when the bytes after an ESC may become REP, which repeats the previous character. */
function mayRepeat(begun: Buffer): boolean {
  return begun.length === 0 || (begun[0] === CSI && /^[\d;]{0,20}$/.test(begun.toString('latin1', 1, 22)));
}

/** Variant of `completeLength` for output that is followed by an unfinished sequence. */
function completeBefore(output: Buffer): number {
  const last = output.lastIndexOf(ESC);
  if (last < 0) return completeText(output, 0);
  const end = endOf(output, last, 0);
  return end === null ? output.length : completeText(output, end);
}

/**
 * Returns the number of leftover bytes that a terminal shows anyway, because they are characters that may be
 * extended.
 */
export function shownLength(open: Buffer): number {
  const sequence = open.indexOf(ESC);
  return wholeCharacters(sequence < 0 ? open : open.subarray(0, sequence));
}

/**
 * Returns the start of a string that is still open when the output ends in ESC, which may be half of its
 * terminator.
 */
function stringAround(output: Buffer, escape: number, known: number): number | null {
  if (escape < output.length - 1 || escape === 0) return null;
  const before = output.lastIndexOf(ESC, escape - 1);
  if (before < 0 || !STRINGS.has(output[before + 1] ?? 0)) return null;
  return endOf(output.subarray(0, escape), before, known) === null ? before : null;
}

/**
 * Returns the end of the sequence that begins at `start`; null when it is unfinished. No ESC may follow, except
 * as the last byte.
 */
function endOf(output: Buffer, start: number, known: number): number | null {
  const kind = output[start + 1];
  if (kind === undefined) return null;
  // A character beyond ASCII is printed, and aborts the sequence.
  if (kind > DELETE) return start + 1;
  const body = start + 2;
  const from = start === 0 ? Math.max(body, known) : body;
  if (STRINGS.has(kind)) {
    const isEnd = (byte: number): boolean => byte === CAN || byte === SUB || (kind === OSC && byte === BEL);
    return after(output, from, isEnd);
  }
  if (kind !== CSI && (kind < 0x20 || kind > 0x2f)) return body;
  const firstFinal = kind === CSI ? 0x40 : 0x30;
  return after(output, from, (byte) => (byte >= firstFinal && byte <= 0x7e) || byte === CAN || byte === SUB);
}

function after(output: Buffer, from: number, isEnd: (byte: number) => boolean): number | null {
  const length = output.subarray(from).findIndex(isEnd);
  return length < 0 ? null : from + length + 1;
}

/**
 * Returns the length without the last character if the next output may extend it, for example with an accent
 * or the rest of an emoji.
 */
function completeText(output: Buffer, textStart: number): number {
  let from = Math.max(textStart, output.length - LONGEST_CHARACTER_BYTES);
  while (from < output.length && isContinuation(output[from])) from += 1;
  const tail = output.subarray(from);
  const whole = tail.subarray(0, wholeCharacters(tail));
  const text = whole.toString();
  const last = text.slice(lastClusterStart(text.replaceAll('\u00ad', '\u2010')));
  // Control characters and invalid UTF-8 cannot be extended. A soft hyphen can, because it is drawn as a
  // hyphen.
  const joins = (last.codePointAt(0) ?? 0) >= 0x20 && !last.includes('\ufffd');
  return from + whole.length - (joins ? Buffer.byteLength(last) : 0);
}

/** Maximum bytes of a held character; a longer one is drawn as it arrives. */
const LONGEST_CHARACTER_BYTES = 128;

const isContinuation = (byte = 0): boolean => byte >= 0x80 && byte < 0xc0;

/** Returns the length without an incomplete code point at the end. */
function wholeCharacters(output: Buffer): number {
  for (let back = 1; back <= Math.min(3, output.length); back += 1) {
    const byte = output[output.length - back] ?? 0;
    if (byte < 0x80) break;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? output.length - back : output.length;
  }
  return output.length;
}
