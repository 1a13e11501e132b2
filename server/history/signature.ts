// Signatures of blocks of text: one bit for each trigram in each block. Some trigrams share a bit, so a lookup may name
// blocks without the text, but never misses one that contains it.

/** Maximum blocks of one signature. */
export const MOST_BLOCKS = 32;
/** Length of the shortest text that can be looked up. */
export const LEAST_LETTERS = 3;

const ROW_BITS = 16;
const ROWS = 2 ** ROW_BITS;
/** Mask of three characters of seven bits. */
const THREE = 2 ** 21 - 1;
/** Mask of two characters of seven bits. */
const TWO = 2 ** 14 - 1;

/** Codes of bytes: printable ASCII in lower case, 0 for the others, which no trigram contains. */
const CODES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte > 0x7e) return 0;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
});

/** Codes of bytes of output that is not converted first, in which a tab is shown as a space. */
const RAW_CODES = CODES.map((code, byte) => (byte === 0x09 ? 0x20 : code));
const [ESCAPE, BRACKET, LINE_FEED, RETURN, EIGHT_BIT] = [0x1b, 0x5b, 0x0a, 0x0d, 0xc2] as const;

const rowOf = (three: number): number => Math.imul(three, 0x9e3779b1) >>> (32 - ROW_BITS);

/** Returns the number of bits in a row for this many blocks, rounded up to a power of two. */
export const widthFor = (blocks: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, blocks)));
export const bytesFor = (width: number): number => (ROWS * width) / 8;

export class SignatureWriter {
  readonly #rows = new Uint32Array(ROWS);
  readonly #seen = new Uint8Array(ROWS);

  /** Adds the text of a block, which has one character per byte. */
  add(block: number, text: string): void {
    const bytes = Buffer.from(text, 'latin1');
    const rows = this.#rows;
    const bit = 1 << block;
    let three = 0;
    let letters = 0;
    // An iterator takes three times as long as an index.
    for (let at = 0; at < bytes.length; at += 1) {
      const code = CODES[bytes[at] as number] as number;
      letters = code === 0 ? 0 : letters + 1;
      three = ((three << 7) | code) & THREE;
      const row = rowOf(three);
      if (letters >= LEAST_LETTERS) rows[row] = (rows[row] as number) | bit;
    }
  }

  /**
   * Adds a block of output with the same result as `add` for its view, but without creating the view. Returns
   * false, and adds nothing, when the output has sequences other than colours, or control characters other than tabs
   * and line ends.
   */
  addRaw(block: number, bytes: Buffer, start: number, end: number): boolean {
    const seen = this.#seen.fill(0);
    let three = 0;
    for (let at = start; at < end; at += 1) {
      const code = RAW_CODES[bytes[at] as number] as number;
      if (code > 0) {
        three = ((three << 7) | code) & THREE;
        // A number up to `TWO` has fewer than three characters.
        if (three > TWO) seen[rowOf(three)] = 1;
      } else if (bytes[at] === ESCAPE) {
        const last = endOfColour(bytes, at, end);
        if (last === null) return false;
        at = last;
      } else if (isShownAsIs(bytes, at, end)) three = 0;
      else return false;
    }
    const rows = this.#rows;
    const bit = 1 << block;
    for (let row = 0; row < ROWS; row += 1) if (seen[row] === 1) rows[row] = (rows[row] as number) | bit;
    return true;
  }

  /** Returns the rows, each of `width` bits. */
  toBytes(width: number): Buffer {
    const bytes = Buffer.alloc(bytesFor(width));
    const rows = this.#rows;
    for (let row = 0; row < ROWS; row += 1) {
      const bits = rows[row] as number;
      const at = (row * width) >>> 3;
      for (let shift = 0; shift < width; shift += 8)
        bytes[at + (shift >>> 3)] =
          (bytes[at + (shift >>> 3)] as number) | ((bits >>> shift) << ((row * width) % 8));
    }
    return bytes;
  }
}

/** Returns the offset of the last byte of a sequence that sets colours; null for any other sequence. */
function endOfColour(bytes: Buffer, start: number, end: number): number | null {
  if (bytes[start + 1] !== BRACKET) return null;
  let at = start + 2;
  // Digits, colons and semicolons.
  while (at < end && (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x3b) at += 1;
  return at < end && bytes[at] === 0x6d ? at : null;
}

/** Returns true when a byte without a code belongs to a line end or to a character that is not a control. */
function isShownAsIs(bytes: Buffer, at: number, end: number): boolean {
  const byte = bytes[at] as number;
  const next = at + 1 < end ? (bytes[at + 1] as number) : 0;
  if (byte === LINE_FEED) return true;
  if (byte === RETURN) return next === LINE_FEED || next === RETURN;
  if (byte === EIGHT_BIT) return next < 0x80 || next > 0x9f;
  return byte > 0x7f;
}

/** Returns a bit for each block that may contain the needle; `rows` is the result of `toBytes`. */
export function blocksWith(rows: Buffer, width: number, needle: string): number {
  let blocks = -1;
  for (let at = LEAST_LETTERS; at <= needle.length && blocks !== 0; at += 1) {
    let three = 0;
    for (const letter of needle.slice(at - LEAST_LETTERS, at))
      three = (three << 7) | (CODES[letter.charCodeAt(0)] ?? 0);
    blocks &= bitsOf(rows, width, rowOf(three));
  }
  return blocks;
}

function bitsOf(rows: Buffer, width: number, row: number): number {
  const at = (row * width) / 8;
  if (width >= 8) return rows.readUIntLE(at, width / 8);
  return ((rows[Math.floor(at)] as number) >> ((row * width) % 8)) & (2 ** width - 1);
}
