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

/** Codes of bytes: printable ASCII in lower case, 0 for the others, which no trigram contains. */
const CODES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte > 0x7e) return 0;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
});

const rowOf = (three: number): number => Math.imul(three, 0x9e3779b1) >>> (32 - ROW_BITS);

/** Returns the bits of a row for this many blocks, a power of two. */
export const widthFor = (blocks: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, blocks)));
export const bytesFor = (width: number): number => (ROWS * width) / 8;

export class SignatureWriter {
  readonly #rows = new Uint32Array(ROWS);

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

  /** Returns the rows, each of `width` bits. */
  toBytes(width: number): Buffer {
    const bytes = Buffer.alloc(bytesFor(width));
    for (const [row, bits] of this.#rows.entries()) {
      const at = (row * width) / 8;
      if (width >= 8) bytes.writeUIntLE(bits, at, width / 8);
      else bytes[Math.floor(at)] = (bytes[Math.floor(at)] as number) | (bits << ((row * width) % 8));
    }
    return bytes;
  }
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
