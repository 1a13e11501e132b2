// Limits the time per turn of the event loop for one peer's messages, since a socket's chunk may contain a thousand.

/** Source of messages, which can be paused. */
interface Source {
  hold(): void;
  goOn(): void;
  /** Sends all output of `work` in one piece when it has finished. */
  batch(work: () => void): void;
}

export class InboundTurn {
  readonly #turnMs: number;
  readonly #source: Source;
  /** Messages that the source had already read when it was paused, in order of arrival. */
  #waiting: (() => void)[] = [];
  #scheduled: NodeJS.Immediate | null = null;
  /** Start of this peer's current turn of the event loop; null until the first message of that turn. */
  #sinceMs: number | null = null;

  constructor(turnMs: number, source: Source) {
    this.#turnMs = turnMs;
    this.#source = source;
  }

  /** True when there is time for another message now; otherwise call `putOff`. */
  get hasTime(): boolean {
    return this.#waiting.length === 0 && !this.#isOver();
  }

  /** Processes the message after the other peers' turns. */
  putOff(message: () => void): void {
    this.#waiting.push(message);
    if (this.#waiting.length === 1) this.#source.hold();
  }

  /** Processes queued messages at once, since no more follow. */
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

  /** Continues after the other peers' turns. */
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
