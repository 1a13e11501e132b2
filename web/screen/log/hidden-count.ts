// The number of lines that a filter hides, reported at a reader's pace; zero is reported at once.
import { ToldCount } from '../../state/page/told-count.ts';
import type { HiddenLines } from '../../state/processes/terminal-state.ts';

export class HiddenCount {
  readonly #lines: ToldCount;
  #isAll = false;

  constructor(changed: (hidden: HiddenLines | null) => void) {
    this.#lines = new ToldCount((lines) => changed(lines === null ? null : { lines, isAll: this.#isAll }));
  }

  set(hidden: HiddenLines | null): void {
    const isAll = hidden?.isAll ?? false;
    // ToldCount reports the beginning and the end of a count at once.
    if (isAll !== this.#isAll) this.#lines.set(null);
    this.#isAll = isAll;
    this.#lines.set(hidden?.lines ?? null);
  }

  dispose(): void {
    this.#lines.dispose();
  }
}
