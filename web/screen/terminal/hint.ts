// A short message in a pane, for example why an action has no effect; only one at a time, and it disappears by itself.

/** Time for which a hint is shown: long enough to read it once. */
const HINT_SHOWN_MS = 4000;

export class Hint {
  readonly #show: (hint: string | null) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown: string | null = null;

  constructor(show: (hint: string | null) => void) {
    this.#show = show;
  }

  /** Shows a hint. A repeated hint, for example from the mouse wheel, is shown once and stays while it is repeated. */
  display(hint: string): void {
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
