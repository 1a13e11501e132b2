// Copies of output that waits to be written, in reused blocks; a chunk longer than a block has its own memory. Retained
// chunks would move to the old generation of the heap, where collecting them takes longer than writing them.

const BLOCK_BYTES = 256 * 1024;
/** Maximum number of unused blocks. */
const FREE_BLOCKS = 8;

interface Block {
  readonly bytes: Buffer;
  used: number;
  /** Number of unreleased copies in the block. */
  copies: number;
}

export interface Copy {
  readonly bytes: Buffer;
  /** Releases the memory; call it once, when `bytes` is no longer read. */
  readonly release: () => void;
}

export class OutputCopies {
  readonly #free: Block[] = [];
  #block: Block | null = null;

  copy(bytes: Buffer): Copy {
    const length = bytes.length;
    if (length > BLOCK_BYTES) return { bytes: Buffer.from(bytes), release: () => {} };
    const block = this.#withRoom(length);
    const copied = block.bytes.subarray(block.used, block.used + length);
    bytes.copy(copied);
    block.used += length;
    block.copies += 1;
    return { bytes: copied, release: () => this.#release(block) };
  }

  #withRoom(length: number): Block {
    const block = this.#block;
    if (block && block.used + length <= BLOCK_BYTES) return block;
    this.#block = this.#free.pop() ?? { bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES), used: 0, copies: 0 };
    return this.#block;
  }

  #release(block: Block): void {
    block.copies -= 1;
    if (block.copies === 0) this.#giveBack(block);
  }

  #giveBack(block: Block): void {
    block.used = 0;
    if (block !== this.#block && this.#free.length < FREE_BLOCKS) this.#free.push(block);
  }
}
