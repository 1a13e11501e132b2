// The times at which recordings are written: some while after there is something new, and soon after an end.

export interface Flushed {
  /** Time of its beginning, on the clock of performance.now. */
  readonly beganMs: number;
  readonly isOver: boolean;
}

export class Flush<T extends Flushed> {
  readonly #flushMs: number;
  readonly #write: (due: readonly T[]) => void;
  readonly #changed = new Set<T>();
  #timer: NodeJS.Timeout | null = null;
  /** Time before which an end waits for the timer, with others. */
  #nextEndMs = 0;

  /** `write` is called with those that are due, `flushMs` after the first change at the latest. */
  constructor(flushMs: number, write: (due: readonly T[]) => void) {
    this.#flushMs = flushMs;
    this.#write = write;
  }

  changed(one: T): void {
    this.#changed.add(one);
    this.#timer ??= setTimeout(() => this.#flush(), this.#flushMs);
  }

  /** A gateway that is killed now is to know of an end as soon as can be; of many, the later ones are written together. */
  ended(): void {
    const now = performance.now();
    if (now < this.#nextEndMs) return;
    this.#nextEndMs = now + this.#flushMs;
    setImmediate(() => this.#flush());
  }

  /** Stops; what has changed is not written. */
  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#changed.clear();
  }

  /** One that has just begun waits until it is `flushMs` old: most are over before. */
  #flush(): void {
    const now = performance.now();
    const untilMs = ({ isOver, beganMs }: T): number => (isOver ? 0 : beganMs + this.#flushMs - now);
    const due = [...this.#changed].filter((each) => untilMs(each) <= 0);
    this.#write(due);
    for (const each of due) this.#changed.delete(each);
    if (this.#timer) clearTimeout(this.#timer);
    const waitsMs = Math.min(...[...this.#changed].map(untilMs));
    this.#timer = this.#changed.size === 0 ? null : setTimeout(() => this.#flush(), waitsMs);
  }
}
