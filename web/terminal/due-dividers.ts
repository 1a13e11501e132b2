// What is said between two events of a process is told at once, and its output comes later: it waits for its place.

/** The oldest gives way: of a page that was hidden for long nobody looks for all that was done meanwhile. */
const MOST_DUE = 50;

/** Said after this event, and before the next. */
export interface DueDivider {
  readonly text: string;
  readonly afterSeq: number;
}

export class DueDividers {
  readonly #say: (text: string) => void;
  #due: DueDivider[] = [];
  #reachedSeq = 0;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  add(divider: DueDivider): void {
    this.#due = [...this.#due, divider].slice(-MOST_DUE);
    this.reached(this.#reachedSeq);
  }

  /** Everything up to this event has come, or never will. */
  reached(seq: number): void {
    this.#reachedSeq = seq;
    if (this.#due.length === 0) return;
    const reached = this.#due.filter(({ afterSeq }) => afterSeq <= seq);
    this.#due = this.#due.filter(({ afterSeq }) => afterSeq > seq);
    for (const { text } of reached) this.#say(text);
  }
}
