// Recordings of ended processes whose end could not be written; each write is retried later.

/** Maximum number of such recordings; beyond it, the oldest is dropped, and one with a note is finished at the next start. */
const MOST_UNFINISHED = 1000;

export class UnfinishedEnds<T> {
  readonly #againMs: number;
  readonly #finish: (one: T) => void;
  readonly #drop: (one: T) => void;
  readonly #all = new Set<T>();
  #timer: NodeJS.Timeout | null = null;

  /** `finish` is called for each recording after `againMs`, and `drop` for those beyond the limit. */
  constructor(againMs: number, finish: (one: T) => void, drop: (one: T) => void) {
    this.#againMs = againMs;
    this.#finish = finish;
    this.#drop = drop;
  }

  add(one: T): void {
    this.#all.add(one);
    const [oldest] = this.#all;
    if (this.#all.size > MOST_UNFINISHED && oldest !== undefined) {
      this.#all.delete(oldest);
      this.#drop(oldest);
    }
    this.#timer ??= setTimeout(() => this.#again(), this.#againMs).unref();
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#all.clear();
  }

  #again(): void {
    this.#timer = null;
    const due = [...this.#all];
    this.#all.clear();
    for (const one of due) this.#finish(one);
  }
}
