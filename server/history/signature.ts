// Signatures of blocks of text: which runs of three letters are in each. One bit tells of one run in one block, and some
// runs share their bits: a block may be named that has not the text, but none that has it is missing.

/** Most blocks of one signature. */
export const MOST_BLOCKS = 32;
/** The shortest text that a signature knows of. */
export const LEAST_LETTERS = 3;

const ROW_BITS = 16;
const ROWS = 2 ** ROW_BITS;
/** Seven bits of each of three letters. */
const THREE = 2 ** 21 - 1;

/** Codes of bytes: printable ASCII, in lower case; 0 for others, which end a run. */
const CODES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte > 0x7e) return 0;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
});

const rowOf = (three: number): number => Math.imul(three, 0x9e3779b1) >>> (32 - ROW_BITS);

/** Bits of a row for so many blocks, a power of two. */
export const widthFor = (blocks: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, blocks)));
export const bytesFor = (width: number): number => (ROWS * width) / 8;

export class SignatureWriter {
  readonly #rows = new Uint32Array(ROWS);

  /** Notes all that a block has in it, of which one character is one byte. */
  add(block: number, text: string): void {
    const bytes = Buffer.from(text, 'latin1');
    const rows = this.#rows;
    const bit = 1 << block;
    let three = 0;
    let letters = 0;
    // An iterator takes three times as long.
    for (let at = 0; at < bytes.length; at += 1) {
      const code = CODES[bytes[at] as number] as number;
      letters = code === 0 ? 0 : letters + 1;
      three = ((three << 7) | code) & THREE;
      const row = rowOf(three);
      if (letters >= LEAST_LETTERS) rows[row] = (rows[row] as number) | bit;
    }
  }

  /** The rows, each of `width` bits. */
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

/** The blocks that may have a needle of at least `LEAST_LETTERS` letters, as bits; `rows`: what `toBytes` has returned. */
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
