// Lines hidden by a filter: their number is reported at a readable pace, all other changes immediately.
import { PacedCount } from '../../state/page/paced-count.ts';
import type { HiddenLines } from '../../state/processes/terminal-state.ts';

export class HiddenCount {
  readonly #lines: PacedCount;
  #isAll = false;
  #isPartial = false;

  constructor(changed: (hidden: HiddenLines | null) => void) {
    this.#lines = new PacedCount((lines) => {
      const isPartial = this.#isPartial && { isPartial: true };
      changed(lines === null ? null : { lines, isAll: this.#isAll, ...isPartial });
    });
  }

  set(hidden: HiddenLines | null): void {
    const isAll = hidden?.isAll ?? false;
    const isPartial = hidden?.isPartial ?? false;
    // PacedCount reports changes from null immediately, so the count is first set to null.
    if (isAll !== this.#isAll || isPartial !== this.#isPartial) this.#lines.set(null);
    this.#isAll = isAll;
    this.#isPartial = isPartial;
    this.#lines.set(hidden?.lines ?? null);
  }

  dispose(): void {
    this.#lines.dispose();
  }
}
