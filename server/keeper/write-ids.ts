// Stores the newest writeIds that one writer has used on one process, in bounded memory.

/** Limits on the approximate memory of ids stored individually: per writer, and for all writers of all processes. */
const WRITER_BYTES = 1024 * 1024;
const ALL_BYTES = 64 * 1024 * 1024;
/** Number of individually stored ids per writer that are retained even beyond ALL_BYTES. */
const LEAST_IDS = 256;
/** Memory of an id in addition to its characters. */
const ID_BYTES = 64;

let bytesOfAll = 0;

/** Set of ids. Ids that count up (1, 2, 3 …) are stored as one range, others individually. */
export class WriteIds {
  readonly #limit: number;
  #low = 0;
  /** Newest id of the range; below `#low` while there is none. */
  #high = -1;
  readonly #others = new Set<string>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(id: string): boolean {
    const n = counter(id);
    return (n !== null && n >= this.#low && n <= this.#high) || this.#others.has(id);
  }

  add(id: string): void {
    const n = counter(id);
    if (n !== null && this.#high < this.#low) {
      this.#low = n;
      this.#high = n;
    } else if (n !== null && n === this.#high + 1) {
      this.#high = n;
    } else {
      this.#remember(id);
    }
    this.#forgetOldest();
  }

  /** Frees the memory; call it when the writer will not write again. */
  forget(): void {
    this.#others.clear();
    this.#count(-this.#bytes);
  }

  #forgetOldest(): void {
    this.#low = Math.max(this.#low, this.#high - this.#limit + 1);
    for (const oldest of this.#others) {
      if (!this.#hasTooMany()) return;
      this.#others.delete(oldest);
      this.#count(-cost(oldest));
    }
  }

  #hasTooMany(): boolean {
    const { size } = this.#others;
    return size > this.#limit || this.#bytes > WRITER_BYTES || (bytesOfAll > ALL_BYTES && size > LEAST_IDS);
  }

  #remember(id: string): void {
    if (this.#others.has(id)) return;
    this.#others.add(id);
    this.#count(cost(id));
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    bytesOfAll += bytes;
  }
}

const cost = (id: string): number => ID_BYTES + 2 * id.length;

/** Returns the number whose canonical spelling is `id`, else null. */
function counter(id: string): number | null {
  const n = Number(id);
  return Number.isSafeInteger(n) && n >= 0 && String(n) === id ? n : null;
}
