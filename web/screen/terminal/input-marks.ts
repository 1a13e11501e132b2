// Chooses which input from other sessions gets a marker in a pane: the first after a pause or a change of session.
import type { ProcessInfo } from '../../../protocol/console.ts';

/** Pause in the input of a session after which the next input gets a marker again. */
const AGAIN_AFTER_MS = 30_000;

type Input = NonNullable<ProcessInfo['lastInput']>;

export class InputMarks {
  #last: Input | null;

  /** `last` is the last input before the pane was opened; it gets no marker. */
  constructor(last: Input | null) {
    this.#last = last;
  }

  /** Stores the input as the last one; returns true if it gets a marker. `own` is the label of this page's session. */
  isNew(input: Input | null, own: string | null): boolean {
    const before = this.#last;
    if (!input || input.atMs <= (before?.atMs ?? 0)) return false;
    this.#last = input;
    if (input.session === own) return false;
    return input.session !== before?.session || input.atMs - before.atMs > AGAIN_AFTER_MS;
  }
}
