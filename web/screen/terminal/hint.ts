// A short word in a pane on why something that was just tried does nothing: one at a time, gone by itself.

/** Long enough to be read once. */
const HINT_SHOWN_MS = 4000;

export class Hint {
  readonly #show: (hint: string | null) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown: string | null = null;

  constructor(show: (hint: string | null) => void) {
    this.#show = show;
  }

  /** Again and again, as by a wheel, is said once, and stays as long as it goes on. */
  say(hint: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#set(null), HINT_SHOWN_MS);
    if (hint !== this.#shown) this.#set(hint);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #set(hint: string | null): void {
    this.#shown = hint;
    this.#show(hint);
  }
}
