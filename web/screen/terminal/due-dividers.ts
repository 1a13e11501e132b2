// What is said between two events of a process is told at once, and its output comes later: it waits for its place.

/** The oldest gives way: of a page that was hidden for long nobody looks for all that was done meanwhile. */
const MOST_DUE = 50;

/** Said after this event, and before the next. */
export interface DueDivider {
  readonly text: string;
  readonly afterSeq: number;
  /** Whether it is said in its place or not at all: of what has just been done, a place further down is soon enough. */
  readonly isPast: boolean;
}

export class DueDividers {
  readonly #say: (divider: DueDivider) => void;
  #due: DueDivider[] = [];
  #reachedSeq = 0;
  #isClosed = false;

  constructor(say: (divider: DueDivider) => void) {
    this.#say = say;
  }

  add(divider: DueDivider): void {
    if (divider.isPast && divider.afterSeq < this.#reachedSeq) return;
    this.#due = [...this.#due, divider].slice(-MOST_DUE);
    this.#sayDue();
  }

  /** Everything up to this event has come. */
  reached(seq: number): void {
    this.#reachedSeq = seq;
    this.#sayDue();
  }

  /** What has not come of everything up to this event never will. */
  missed(seq: number): void {
    this.#due = this.#due.filter(({ isPast, afterSeq }) => !isPast || afterSeq >= seq);
    this.reached(seq);
  }

  /** Nothing comes any more. */
  closed(): void {
    this.#isClosed = true;
    this.#sayDue();
  }

  #sayDue(): void {
    if (this.#due.length === 0) return;
    const lastSeq = this.#isClosed ? Number.POSITIVE_INFINITY : this.#reachedSeq;
    const due = this.#due.filter(({ afterSeq }) => afterSeq <= lastSeq);
    this.#due = this.#due.filter(({ afterSeq }) => afterSeq > lastSeq);
    for (const divider of due) this.#say(divider);
  }
}
