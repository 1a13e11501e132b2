// Updates of processes that only printed: in turn, no more at once than a person can read, and first to readers with
// them in view.

export interface PrintedLimits {
  readonly changedLaterMs: number;
  readonly printedAtOnce: number;
}

/** A watcher of the console. */
export interface Reader<P> {
  /** Processes in view, sent without waiting for their turn; null while no person looks. */
  readonly inSight: () => Iterable<P> | null;
}

interface Reading<P extends object> {
  /** The turn in which it last got the changes of its visible processes. */
  readonly told: WeakMap<P, number>;
  /** Processes that were sent to others while no person looked here. */
  readonly missed: Set<P>;
  /** True when no person looked at the last report. */
  isAway: boolean;
}

/** Sends updates; all readers share the turns of processes out of view: the one that has waited longest is next. */
export class Printed<P extends object, R extends Reader<P>> {
  readonly #limits: PrintedLimits;
  readonly #tell: (turn: ReadonlyMap<R, readonly P[]>) => void;
  readonly #readings = new Map<R, Reading<P>>();
  /** Waiting processes in the order of their arrival, and the turn after which each printed last. */
  readonly #waiting = new Map<P, number>();
  #turn = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `tell` is called with the changes of each watcher in a turn. */
  constructor(limits: PrintedLimits, tell: (turn: ReadonlyMap<R, readonly P[]>) => void) {
    this.#limits = limits;
    this.#tell = tell;
  }

  add(reader: R): void {
    this.#readings.set(reader, {
      told: new WeakMap(),
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

  /** All watchers have all its changes, or it is forgotten. */
  settled(process: P): void {
    this.#waiting.delete(process);
    for (const { missed } of this.#readings.values()) missed.delete(process);
  }

  /**
   * Call when other processes are in a reader's view, or none, or some again: a returning reader is sent these at once.
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
    this.#tell(new Map([[reader, this.#newsOf(inSight, reading)]]));
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
    const told = new Map<R, readonly P[]>();
    for (const [reader, reading] of this.#readings) {
      const inSight = reader.inSight();
      if (inSight === null) for (const process of next) reading.missed.add(process);
      else told.set(reader, [...next, ...this.#newsOf(inSight, reading)]);
    }
    this.#tell(told);
    this.#arm();
  }

  /** Returns waiting processes that printed since this reader's last update of them, the least recently sent first. */
  #newsOf(inSight: Iterable<P>, { told }: Reading<P>): P[] {
    const toldIn = (process: P): number => told.get(process) ?? 0;
    const news = [...inSight]
      .filter((process) => (this.#waiting.get(process) ?? -1) >= toldIn(process))
      .toSorted((one, other) => toldIn(one) - toldIn(other))
      .slice(0, this.#limits.printedAtOnce);
    for (const process of news) told.set(process, this.#turn);
    return news;
  }
}
