// Limits how many repeatable entries each caller adds to the audit log per minute; further ones are only counted.

const WINDOW_MS = 60_000;

interface Taken {
  count: number;
  reportMissing: ((count: number) => void) | null;
}

export class AuditAllowance {
  readonly #perMinute: number;
  readonly #taken = new Map<string, Taken>();
  #windowEndsAtMs = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /**
   * Returns what to do with one more entry; `noteTooMany` for the first one of a caller that is dropped in a minute.
   * The `reportMissing` of that entry is called with the number of the caller's dropped entries, once any caller adds
   * an entry after that minute.
   */
  take(
    who: string,
    nowMs: number,
    reportMissing: (count: number) => void,
  ): 'record' | 'noteTooMany' | 'drop' {
    if (nowMs >= this.#windowEndsAtMs) this.#begin(nowMs);
    const taken = this.#taken.get(who) ?? { count: 0, reportMissing: null };
    this.#taken.set(who, taken);
    taken.count += 1;
    if (taken.count <= this.#perMinute) return 'record';
    if (taken.reportMissing) return 'drop';
    taken.reportMissing = reportMissing;
    return 'noteTooMany';
  }

  #begin(nowMs: number): void {
    const ended = [...this.#taken.values()];
    this.#windowEndsAtMs = nowMs + WINDOW_MS;
    this.#taken.clear();
    for (const { count, reportMissing } of ended) reportMissing?.(count - this.#perMinute);
  }
}
