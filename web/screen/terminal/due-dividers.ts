// Markers that wait for their place in the output: their notification arrives before the output does.

/** Most waiting markers, the oldest dropped first: after a long time in the background nobody looks for all of them. */
const MOST_DUE = 50;

/** A marker after this event, and before the next. */
export interface DueDivider {
  readonly text: string;
  readonly afterSeq: number;
  /**
   * True for an older act, whose marker is dropped when its place is missed; the marker of a recent act may also come
   * later.
   */
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

  /** Adds the markers up to this event; all output up to it has arrived. */
  reached(seq: number): void {
    this.#reachedSeq = seq;
    this.#sayDue();
  }

  /** Drops the markers of older acts before this event, since missing output up to it will never arrive. */
  missed(seq: number): void {
    this.#due = this.#due.filter(({ isPast, afterSeq }) => !isPast || afterSeq >= seq);
    this.reached(seq);
  }

  /** Adds all remaining markers, since no more output will arrive. */
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
