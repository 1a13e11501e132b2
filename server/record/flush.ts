// Schedules the writes of recordings: a while after a change, and immediately after the end of a process.

export interface Flushed {
  /** Time of the recording's start, on the clock of performance.now. */
  readonly beganMs: number;
  readonly isOver: boolean;
}

export class Flush<T extends Flushed> {
  readonly #flushMs: number;
  readonly #write: (due: readonly T[]) => void;
  readonly #changed = new Set<T>();
  #timer: NodeJS.Timeout | null = null;
  /** Time until which the ends of further processes wait for the timer. */
  #nextEndMs = 0;

  /** `write` is called with the due recordings, at most `flushMs` after the first unwritten change of each. */
  constructor(flushMs: number, write: (due: readonly T[]) => void) {
    this.#flushMs = flushMs;
    this.#write = write;
  }

  changed(one: T): void {
    this.#changed.add(one);
    this.#timer ??= setTimeout(() => this.#flush(), this.#flushMs);
  }

  /**
   * Writes the end of a process immediately, so that it is not lost if the gateway is killed; ends of others
   * that follow soon are written together.
   */
  ended(): void {
    const now = performance.now();
    if (now < this.#nextEndMs) return;
    this.#nextEndMs = now + this.#flushMs;
    setImmediate(() => this.#flush());
  }

  /** Stops without writing pending changes. */
  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#changed.clear();
  }

  /**
   * Writes the due recordings. The recording of a running process is not due until it is `flushMs` old, because most
   * processes end earlier, and are then written once.
   */
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
