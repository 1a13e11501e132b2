// Terminal sizes of a log, each a mark between two events.
import type { SizeMark } from '../../protocol/console.ts';
import type { Size } from '../../protocol/scalars.ts';

export class SizeMarks {
  #marks: SizeMark[] = [];

  static of(marks: readonly SizeMark[]): SizeMarks {
    const made = new SizeMarks();
    made.#marks = [...marks];
    return made;
  }

  /** True for the size that was set last. */
  isLast({ rows, cols }: Size): boolean {
    const last = this.#marks.at(-1);
    return last?.rows === rows && last.cols === cols;
  }

  /** Sets the size for the events after `afterSeq`; it replaces an earlier one at the same place. */
  set(afterSeq: number, { rows, cols }: Size): void {
    if (this.#marks.at(-1)?.afterSeq === afterSeq) this.#marks.pop();
    this.#marks.push({ afterSeq, rows, cols });
  }

  /** Returns the size for which event `seq` was, or will be, printed; undefined when no size was set before it. */
  at(seq: number): SizeMark | undefined {
    return this.#marks.findLast((mark) => mark.afterSeq < seq);
  }

  /** Returns the size for which `seq` was printed and all later sizes, oldest first. */
  from(seq: number): readonly SizeMark[] {
    return this.#marks.slice(Math.max(this.#baseOf(seq), 0));
  }

  /** Drops the sizes that no event from `seq` on needs. */
  dropBefore(seq: number): void {
    const base = this.#baseOf(seq);
    if (base > 0) this.#marks.splice(0, base);
  }

  #baseOf(seq: number): number {
    return this.#marks.findLastIndex((mark) => mark.afterSeq < seq);
  }
}
