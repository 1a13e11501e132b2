// How many lines have come since the reader left the end, told no faster than a person reads it.

/** A flood changes the number at every line; a person reads it a few times a second. */
const TELL_MS = 250;

export class NewLines {
  readonly #changed: (newLines: number | null) => void;
  #count: number | null = null;
  #told: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `changed`: how many lines have come since the reader left the end; null while the view follows. */
  constructor(changed: (newLines: number | null) => void) {
    this.#changed = changed;
  }

  get count(): number | null {
    return this.#count;
  }

  set(count: number | null): void {
    this.#count = count;
    const isOther = (count === null) !== (this.#told === null);
    if (isOther) {
      this.dispose();
      this.#say();
    } else if (count !== this.#told) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#say();
      }, TELL_MS);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #say(): void {
    if (this.#told === this.#count) return;
    this.#told = this.#count;
    this.#changed(this.#told);
  }
}
