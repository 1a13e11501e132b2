// Sends updates of processes that only printed: in turns of limited size, and first to readers that have them
// in view.

export interface PrintedLimits {
  readonly changedLaterMs: number;
  readonly printedAtOnce: number;
}

export interface Reader<P> {
  /** Returns the processes in view, which are sent without waiting in the queue; null while the page is hidden. */
  readonly inSight: () => Iterable<P> | null;
}

interface Reading<P extends object> {
  /** Number of the turn in which each process in view was last sent to the reader without waiting in the queue. */
  readonly sent: WeakMap<P, number>;
  /** Processes whose turn came while this reader's page was hidden. */
  readonly missed: Set<P>;
  /** True when the page was hidden at the last call of `looked` or, before any, when the reader was added. */
  isAway: boolean;
}

/**
 * Sends updates. In each shared turn, all readers with a visible page get the processes that have waited longest, and
 * each reader also gets waiting processes in its view.
 */
export class Printed<P extends object, R extends Reader<P>> {
  readonly #limits: PrintedLimits;
  readonly #send: (turn: ReadonlyMap<R, readonly P[]>) => void;
  readonly #readings = new Map<R, Reading<P>>();
  /** Waiting processes, in order of arrival → the turn after which each last printed. */
  readonly #waiting = new Map<P, number>();
  #turn = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `send`: called with the processes to send to each reader in a turn. */
  constructor(limits: PrintedLimits, send: (turn: ReadonlyMap<R, readonly P[]>) => void) {
    this.#limits = limits;
    this.#send = send;
  }

  add(reader: R): void {
    this.#readings.set(reader, {
      sent: new WeakMap(),
      missed: new Set(),
      isAway: reader.inSight() === null,
    });
  }

  delete(reader: R): void {
    this.#readings.delete(reader);
    if (this.#readings.size === 0) this.close();
  }

  note(process: P): void {
    this.#waiting.set(process, this.#turn);
    this.#arm();
  }

  /** Drops the updates of a process that is forgotten, or whose changes all watchers have. */
  settled(process: P): void {
    this.#waiting.delete(process);
    for (const { missed } of this.#readings.values()) missed.delete(process);
  }

  /**
   * Notes whether a reader's page is hidden; a page that is shown again gets the updates of the processes in view at
   * once.
   */
  looked(reader: R): void {
    const reading = this.#readings.get(reader);
    if (!reading) return;
    const inSight = reader.inSight();
    const { isAway } = reading;
    reading.isAway = inSight === null;
    if (inSight === null || !isAway) return;
    for (const process of reading.missed) this.#waiting.set(process, this.#turn);
    reading.missed.clear();
    this.#turn += 1;
    this.#send(new Map([[reader, this.#newsOf(inSight, reading)]]));
    this.#arm();
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting.clear();
  }

  #arm(): void {
    if (this.#timer || this.#waiting.size === 0 || !this.#isLookedAt) return;
    this.#timer = setTimeout(() => this.#takeTurn(), this.#limits.changedLaterMs);
  }

  get #isLookedAt(): boolean {
    return [...this.#readings.keys()].some((reader) => reader.inSight() !== null);
  }

  #takeTurn(): void {
    this.#timer = null;
    this.#turn += 1;
    const next = [...this.#waiting.keys()].slice(0, this.#limits.printedAtOnce);
    for (const process of next) this.#waiting.delete(process);
    const sent = new Map<R, readonly P[]>();
    for (const [reader, reading] of this.#readings) {
      const inSight = reader.inSight();
      if (inSight === null) for (const process of next) reading.missed.add(process);
      else sent.set(reader, [...next, ...this.#newsOf(inSight, reading)]);
    }
    this.#send(sent);
    this.#arm();
  }

  /**
   * Returns up to `printedAtOnce` waiting processes in view with output since their last update to this reader, the
   * least recently sent first.
   */
  #newsOf(inSight: Iterable<P>, { sent }: Reading<P>): P[] {
    const sentIn = (process: P): number => sent.get(process) ?? 0;
    const news = [...inSight]
      .filter((process) => (this.#waiting.get(process) ?? -1) >= sentIn(process))
      .toSorted((one, other) => sentIn(one) - sentIn(other))
      .slice(0, this.#limits.printedAtOnce);
    for (const process of news) sent.set(process, this.#turn);
    return news;
  }
}
