// Heights of the recorded lines above a log, of which most were never drawn: one row each, unless measured.

/** Lines of a block; measured lines are summed up by blocks. */
const BLOCK = 1024;
/** Most blocks with measured lines; the first measured ones are forgotten. */
const MOST_BLOCKS = 64;

interface Block {
  /** Rows of its lines beyond one each. */
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

  /** Rows above the line. */
  offsetOf(line: number): number {
    let extra = this.#extraBefore(Math.floor(line / BLOCK));
    for (const [at, more] of this.#blocks.get(Math.floor(line / BLOCK))?.lines ?? [])
      if (at < line) extra += more;
    return line + extra;
  }

  /** The line at that row, or the nearest. */
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
