// Whether input of somebody else is worth a word in a pane: the first of a while, and whenever it is somebody else's turn.
import type { ProcessInfo } from '../../../protocol/console.ts';

/** Who goes on typing after so long is named again. */
const AGAIN_AFTER_MS = 30_000;

type Input = NonNullable<ProcessInfo['lastInput']>;

export class InputMarks {
  #last: Input | null;

  /** What was typed before the pane was opened is history. */
  constructor(last: Input | null) {
    this.#last = last;
  }

  /** Whether this is to be marked; `own` is the label of this page's session. */
  isNews(input: Input | null, own: string | null): boolean {
    const before = this.#last;
    if (!input || input.atMs <= (before?.atMs ?? 0)) return false;
    this.#last = input;
    if (input.session === own) return false;
    return input.session !== before?.session || input.atMs - before.atMs > AGAIN_AFTER_MS;
  }
}
