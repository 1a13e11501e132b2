// A count that may change on every line of output, reported no faster than a person can read.

/** Reporting interval: a person can read a number a few times a second. */
const REPORT_MS = 250;

export class PacedCount {
  readonly #changed: (count: number | null) => void;
  #count: number | null = null;
  #reported: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Calls `changed` with the count, or null when there is nothing to count. Changes from and to null are reported
   * immediately.
   */
  constructor(changed: (count: number | null) => void) {
    this.#changed = changed;
  }

  get count(): number | null {
    return this.#count;
  }

  set(count: number | null): void {
    this.#count = count;
    const isOther = (count === null) !== (this.#reported === null);
    if (isOther) {
      this.dispose();
      this.#report();
    } else if (count !== this.#reported) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#report();
      }, REPORT_MS);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #report(): void {
    if (this.#reported === this.#count) return;
    this.#reported = this.#count;
    this.#changed(this.#reported);
  }
}
