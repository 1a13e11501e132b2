// The files that stay open: the ones used last, as many as the limit.

export class OpenFiles<T> {
  readonly #most: number;
  /** The least recently used first. */
  readonly #open = new Set<T>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Notes a use. Returns one that is to be closed: it does not count as open any more. */
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
