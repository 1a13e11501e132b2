// How much of the record those may fill who only look: nobody who was shown something pushes out of it what others did.

export interface AllowanceLimits {
  /** Entries in a minute of one who only looks, or of all who came by one share. */
  readonly auditOfObserver: number;
}

const WINDOW_MS = 60_000;

export class ObserverAllowance {
  readonly #limits: AllowanceLimits;
  readonly #counts = new Map<string, number>();
  #windowEndsAtMs = 0;

  constructor(limits: AllowanceLimits) {
    this.#limits = limits;
  }

  /** What becomes of one more entry: it is recorded, or that there are too many is, once, or nothing. */
  take(who: string, nowMs: number): 'record' | 'sayTooMany' | 'drop' {
    if (nowMs >= this.#windowEndsAtMs) {
      this.#windowEndsAtMs = nowMs + WINDOW_MS;
      this.#counts.clear();
    }
    const count = (this.#counts.get(who) ?? 0) + 1;
    this.#counts.set(who, count);
    if (count <= this.#limits.auditOfObserver) return 'record';
    return count === this.#limits.auditOfObserver + 1 ? 'sayTooMany' : 'drop';
  }
}
