// The modes that a terminal does not tell of, and those that it does not know: kept as a program has set them, since another
// terminal, which the same program is shown on later, may know them.

/** A terminal tells of these, or they are of its screens. */
const TOLD: ReadonlySet<string> = new Set(
  '4 ?1 ?6 ?7 ?9 ?25 ?45 ?47 ?66 ?1000 ?1002 ?1003 ?1004 ?1047 ?1048 ?1049 ?2004 ?2026'.split(' '),
);
/** VT52, which understands nothing of a snapshot; 132 columns, which clears; Tektronix; margins, which no cell is drawn for. */
const NOT_SET_AGAIN: ReadonlySet<string> = new Set(['?2', '?3', '?38', '?69']);
/** A program may set any number; of more, those that were set last. */
const MOST_KEPT = 64;

export type SetOrReset = 'h' | 'l';

export class SetModes {
  /** In the order of their being set: some take the place of others. */
  readonly #kept = new Map<string, SetOrReset>();

  /** `mode`: its number, after a question mark when it is a private one. */
  keep(mode: string, final: SetOrReset): void {
    if (TOLD.has(mode) || NOT_SET_AGAIN.has(mode)) return;
    this.#kept.delete(mode);
    this.#kept.set(mode, final);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
  }

  /** Leaves all of them as they were left. */
  get sequence(): string {
    return Array.from(this.#kept, ([mode, final]) => `\u001b[${mode}${final}`).join('');
  }

  reset(): void {
    this.#kept.clear();
  }
}
