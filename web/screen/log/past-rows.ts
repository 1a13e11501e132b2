// Heights of the recorded lines above a log, most of which are never drawn: one row each unless measured.

/** Lines per block; measured heights are summed per block. */
const BLOCK = 1024;
/** Maximum number of blocks with measured lines; those measured first are discarded. */
const MOST_BLOCKS = 64;

interface Block {
  /** Extra rows of the block's lines, beyond one per line. */
  extra: number;
  readonly lines: Map<number, number>;
}

export class PastRows {
  count = 0;
  readonly #blocks = new Map<number, Block>();

  get total(): number {
    return this.count + this.#extraBefore(Number.POSITIVE_INFINITY);
  }

  forget(): void {
    this.#blocks.clear();
  }

  set(line: number, rows: number): void {
    const number = Math.floor(line / BLOCK);
    const block = this.#blocks.get(number) ?? { extra: 0, lines: new Map<number, number>() };
    const before = block.lines.get(line) ?? 0;
    if (rows - 1 === before) return;
    block.lines.set(line, rows - 1);
    block.extra += rows - 1 - before;
    this.#blocks.set(number, block);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > MOST_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
  }

  /** Returns the number of rows above the line. */
  offsetOf(line: number): number {
    let extra = this.#extraBefore(Math.floor(line / BLOCK));
    for (const [at, more] of this.#blocks.get(Math.floor(line / BLOCK))?.lines ?? [])
      if (at < line) extra += more;
    return line + extra;
  }

  /** Returns the line at the row, or the nearest one. */
  lineAt(row: number): number {
    let [low, high] = [0, Math.max(0, this.count - 1)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.offsetOf(middle) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #extraBefore(number: number): number {
    let extra = 0;
    for (const [each, block] of this.#blocks) if (each < number) extra += block.extra;
    return extra;
  }
}
