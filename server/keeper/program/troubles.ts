// Troubles of the keeper with its disk; the gravest is reported to the gateway.

/** Time for which a slow write is reported. */
const SLOW_SHOWN_MS = 60_000;

export class Troubles {
  readonly #tell: (reason: string | null) => void;
  /** The reasons why the output of processes is not on the disk. */
  readonly #unwritten = new Map<number, string>();
  #slow: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #told: string | null = null;

  constructor(tell: (reason: string | null) => void) {
    this.#tell = tell;
  }

  /** The one that counts; null when there is none. */
  get now(): string | null {
    const [first] = this.#unwritten.values();
    return first ?? this.#slow;
  }

  /** Null when the disk takes the output of this process again, or the process is forgotten. */
  unwritten(process: number, reason: string | null): void {
    if (reason === null) this.#unwritten.delete(process);
    else this.#unwritten.set(process, reason);
    this.#changed();
  }

  /** A write has taken so long. */
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
    if (this.now === this.#told) return;
    this.#told = this.now;
    this.#tell(this.now);
  }
}
