// Row offset of each entry in a log: entries are added at the end and dropped at the start, and any of them may change
// its height.

/** Entries per block; rows are summed per block, so that lookups need not visit every entry. */
const BLOCK = 256;

export class RowMap {
  #rows: number[] = [];
  #firstId: number;
  /** Rows per block of ids; the first block contains `#firstId`. */
  #blocks: number[] = [];
  #total = 0;

  constructor(firstId: number) {
    this.#firstId = firstId;
  }

  get firstId(): number {
    return this.#firstId;
  }

  get endId(): number {
    return this.#firstId + this.#rows.length;
  }

  get total(): number {
    return this.#total;
  }

  rowsOf(id: number): number {
    return this.#rows[id - this.#firstId] ?? 0;
  }

  append(rows: number): void {
    const block = this.#blockOf(this.endId);
    this.#rows.push(rows);
    this.#blocks[block] = (this.#blocks[block] ?? 0) + rows;
    this.#total += rows;
  }

  /** Sets the number of rows of an entry. Returns the change. */
  set(id: number, rows: number): number {
    const change = rows - this.rowsOf(id);
    if (change === 0 || id < this.#firstId || id >= this.endId) return 0;
    this.#rows[id - this.#firstId] = rows;
    const block = this.#blockOf(id);
    this.#blocks[block] = (this.#blocks[block] ?? 0) + change;
    this.#total += change;
    return change;
  }

  /** Drops all entries before `id`. Returns their total rows. */
  dropTo(id: number): number {
    const count = Math.max(0, Math.min(id - this.#firstId, this.#rows.length));
    if (count === 0) return 0;
    const before = this.#total;
    for (let at = 0; at < count; at += 1) this.set(this.#firstId + at, 0);
    const blocks = Math.floor((this.#firstId + count) / BLOCK) - Math.floor(this.#firstId / BLOCK);
    this.#rows.splice(0, count);
    this.#blocks.splice(0, blocks);
    this.#firstId += count;
    return before - this.#total;
  }

  /** Returns the number of rows above the entry. */
  offsetOf(id: number): number {
    const block = this.#blockOf(id);
    let rows = 0;
    for (let at = 0; at < block; at += 1) rows += this.#blocks[at] ?? 0;
    for (let at = Math.max(this.#firstId, this.#startOf(block)); at < id; at += 1) rows += this.rowsOf(at);
    return rows;
  }

  /** Returns the id of the entry at the row, or of the nearest one. */
  idAt(row: number): number {
    let rest = row;
    let block = 0;
    while (block < this.#blocks.length - 1 && rest >= (this.#blocks[block] ?? 0)) {
      rest -= this.#blocks[block] ?? 0;
      block += 1;
    }
    let id = Math.max(this.#firstId, this.#startOf(block));
    while (id < this.endId - 1 && rest >= this.rowsOf(id)) {
      rest -= this.rowsOf(id);
      id += 1;
    }
    return id;
  }

  #blockOf(id: number): number {
    return Math.floor(id / BLOCK) - Math.floor(this.#firstId / BLOCK);
  }

  #startOf(block: number): number {
    return (Math.floor(this.#firstId / BLOCK) + block) * BLOCK;
  }
}
