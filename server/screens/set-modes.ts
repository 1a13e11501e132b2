// The modes that a terminal does not report, and those that it does not know: kept as a program has set them, since
// another terminal that shows the same program later may know them.

/** Modes that a terminal reports, or that belong to its screens. */
const TOLD: ReadonlySet<string> = new Set(
  '4 ?1 ?6 ?7 ?9 ?25 ?45 ?47 ?66 ?1000 ?1002 ?1003 ?1004 ?1047 ?1048 ?1049 ?2004 ?2026'.split(' '),
);
/**
 * VT52, which understands nothing of a snapshot; 132 columns, which clears; Tektronix; margins, which affect no drawn
 * cell.
 */
const NOT_SET_AGAIN: ReadonlySet<string> = new Set(['?2', '?3', '?38', '?69']);
/** Limit of modes, as a program may set any number; the last ones set are kept. */
const MOST_KEPT = 64;

export type SetOrReset = 'h' | 'l';

export class SetModes {
  /** Modes in the order of their setting: some replace others. */
  readonly #kept = new Map<string, SetOrReset>();

  /** `mode`: its number, with a leading question mark for a private one. */
  keep(mode: string, final: SetOrReset): void {
    if (TOLD.has(mode) || NOT_SET_AGAIN.has(mode)) return;
    this.#kept.delete(mode);
    this.#kept.set(mode, final);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
  }

  /** The sequence that restores all modes. */
  get sequence(): string {
    return Array.from(this.#kept, ([mode, final]) => `\u001b[${mode}${final}`).join('');
  }

  reset(): void {
    this.#kept.clear();
  }
}
