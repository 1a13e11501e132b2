// The most recently used open files, up to a limit.

export class OpenFiles<T> {
  readonly #most: number;
  /** Open files, the least recently used first. */
  readonly #open = new Set<T>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Marks a file as used. If too many are open, removes and returns the least recently used one, which the caller
   * must close; otherwise returns null.
   */
  used(one: T): T | null {
    this.#open.delete(one);
    this.#open.add(one);
    const [oldest] = this.#open;
    if (this.#open.size <= this.#most || oldest === undefined) return null;
    this.#open.delete(oldest);
    return oldest;
  }

  closed(one: T): void {
    this.#open.delete(one);
  }
}
