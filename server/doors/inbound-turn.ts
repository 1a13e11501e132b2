// One peer's messages, so many at a time that the others have their turn: a chunk of a socket may hold a thousand.

/** Stops and starts what the messages come from. */
interface Source {
  hold(): void;
  goOn(): void;
  /** Sends what `work` sends at once, when it is over. */
  batch(work: () => void): void;
}

export class InboundTurn {
  readonly #turnMs: number;
  readonly #source: Source;
  /** In the order of their arrival; what the source had already read when it was held. */
  #waiting: (() => void)[] = [];
  #scheduled: NodeJS.Immediate | null = null;
  /** When this turn of the event loop's began for it; null when nothing has come in it. */
  #sinceMs: number | null = null;

  constructor(turnMs: number, source: Source) {
    this.#turnMs = turnMs;
    this.#source = source;
  }

  /** True when there is time for one more message now; otherwise it is put off. */
  get hasTime(): boolean {
    return this.#waiting.length === 0 && !this.#isOver();
  }

  /** Takes the message when the others have been served. */
  putOff(message: () => void): void {
    this.#waiting.push(message);
    if (this.#waiting.length === 1) this.#source.hold();
  }

  /** Nothing more comes: what waits is taken at once. */
  end(): void {
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#scheduled = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) message();
  }

  #isOver(): boolean {
    const nowMs = performance.now();
    this.#sinceMs ??= nowMs;
    this.#scheduled ??= setImmediate(() => this.#next());
    return nowMs - this.#sinceMs >= this.#turnMs;
  }

  /** The others have been served. */
  #next(): void {
    this.#scheduled = null;
    this.#sinceMs = null;
    if (this.#waiting.length === 0) return;
    let taken = 0;
    this.#source.batch(() => {
      while (taken < this.#waiting.length && !this.#isOver()) {
        this.#waiting[taken]?.();
        taken += 1;
      }
    });
    this.#waiting.splice(0, taken);
    if (this.#waiting.length === 0) this.#source.goOn();
  }
}
