// Collects problems of the keeper, most of them of its disk; the most serious one is reported to the gateway.

/** Time for which a slow write is reported. */
const SLOW_SHOWN_MS = 60_000;

export class Troubles {
  readonly #report: (reason: string | null) => void;
  /** Process number → reason why its output cannot be written to disk. */
  readonly #unwritten = new Map<number, string>();
  #slow: string | null = null;
  /** The first defect of the keeper's program. */
  #defect: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #reported: string | null = null;

  constructor(report: (reason: string | null) => void) {
    this.#report = report;
  }

  /** The most serious problem; null when there is none. */
  get now(): string | null {
    const [first] = this.#unwritten.values();
    return first ?? this.#defect ?? this.#slow;
  }

  /** Sets the reason why the output of a process cannot be written; null when it can, or the process is forgotten. */
  unwritten(process: number, reason: string | null): void {
    if (reason === null) this.#unwritten.delete(process);
    else this.#unwritten.set(process, reason);
    this.#changed();
  }

  /** Stores a defect, to be reported until the keeper ends; ignores all but the first. */
  defect(message: string): void {
    this.#defect ??= `The keeper had an error and keeps running: ${message}. The file keeper.log in the state folder has the details.`;
    this.#changed();
  }

  /** Stores a slow write, to be reported until SLOW_SHOWN_MS have passed without another one. */
  slow(ms: number): void {
    this.#slow = `The disk of the state folder is slow: a write took ${Math.round(ms)} ms`;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#slow = null;
      this.#changed();
    }, SLOW_SHOWN_MS).unref();
    this.#changed();
  }

  #changed(): void {
    if (this.now === this.#reported) return;
    this.#reported = this.now;
    this.#report(this.now);
  }
}
