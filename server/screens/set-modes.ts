// Modes that a terminal does not report or does not support. They are tracked because another terminal that
// shows the program later may support them.

/** Modes that a terminal reports, or that belong to its screens. */
const REPORTED: ReadonlySet<string> = new Set(
  '4 ?1 ?6 ?7 ?9 ?25 ?45 ?47 ?66 ?1000 ?1002 ?1003 ?1004 ?1047 ?1048 ?1049 ?2004 ?2026'.split(' '),
);
/**
 * Modes that are not restored: VT52 (snapshots do not work in it), 132 columns (clears the screen),
 * Tektronix, and margins (affect no drawn cell).
 */
const NOT_SET_AGAIN: ReadonlySet<string> = new Set(['?2', '?3', '?38', '?69']);
/** Maximum number of modes, because a program may set any number; the last ones set are retained. */
const MOST_MODES = 64;

export type SetOrReset = 'h' | 'l';

export class SetModes {
  /** Modes in the order in which they were set, because some replace others. */
  readonly #modes = new Map<string, SetOrReset>();

  /** Records a mode; `mode` is its number, with a leading question mark for a private one. */
  keep(mode: string, final: SetOrReset): void {
    if (REPORTED.has(mode) || NOT_SET_AGAIN.has(mode)) return;
    this.#modes.delete(mode);
    this.#modes.set(mode, final);
    for (const oldest of this.#modes.keys()) {
      if (this.#modes.size <= MOST_MODES) break;
      this.#modes.delete(oldest);
    }
  }

  get sequence(): string {
    return Array.from(this.#modes, ([mode, final]) => `\u001b[${mode}${final}`).join('');
  }

  reset(): void {
    this.#modes.clear();
  }
}
