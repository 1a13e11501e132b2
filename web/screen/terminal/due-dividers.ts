// Markers waiting for their place in the output, since acts are reported before the output at that place arrives.

/**
 * Maximum number of waiting markers; the oldest are dropped first, since a person needs no complete list after a long
 * time in the background.
 */
const MOST_DUE = 50;

/** A marker to be placed right after the event with the number `afterSeq`. */
export interface DueDivider {
  readonly text: string;
  readonly afterSeq: number;
  /**
   * True for an older act, whose marker is dropped when the output at its place is skipped; the marker of a
   * recent act may appear late.
   */
  readonly isPast: boolean;
}

export class DueDividers {
  readonly #report: (divider: DueDivider) => void;
  #due: DueDivider[] = [];
  #reachedSeq = 0;
  #isClosed = false;

  constructor(report: (divider: DueDivider) => void) {
    this.#report = report;
  }

  add(divider: DueDivider): void {
    if (divider.isPast && divider.afterSeq < this.#reachedSeq) return;
    this.#due = [...this.#due, divider].slice(-MOST_DUE);
    this.#reportDue();
  }

  /** Adds the markers up to this event, since all output up to it has arrived. */
  reached(seq: number): void {
    this.#reachedSeq = seq;
    this.#reportDue();
  }

  /** Drops the markers of older acts in skipped output, which ends at this event; adds the other markers up to it. */
  missed(seq: number): void {
    this.#due = this.#due.filter(({ isPast, afterSeq }) => !isPast || afterSeq >= seq);
    this.reached(seq);
  }

  /** Adds all remaining markers, since no more output will arrive. */
  closed(): void {
    this.#isClosed = true;
    this.#reportDue();
  }

  #reportDue(): void {
    if (this.#due.length === 0) return;
    const lastSeq = this.#isClosed ? Number.POSITIVE_INFINITY : this.#reachedSeq;
    const due = this.#due.filter(({ afterSeq }) => afterSeq <= lastSeq);
    this.#due = this.#due.filter(({ afterSeq }) => afterSeq > lastSeq);
    for (const divider of due) this.#report(divider);
  }
}
