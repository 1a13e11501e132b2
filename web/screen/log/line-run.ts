// Numbers of the lines from the beginning of the output, or from the last gap in it, and the recorded rows before them.
import type { Stream } from '../../../protocol/process.ts';
import type { RowPlace } from '../../../protocol/recorded-lines.ts';

export class LineRun {
  /** Bytes of all output before the run. */
  readonly offset: number;
  #place: RowPlace | null = null;
  /** Lines of the run that have begun, and those of them that are dropped. */
  #begun = 0;
  #dropped = 0;
  /** Position of the first line of each stream, from 1. */
  readonly #firsts = new Map<Stream, number>();
  /** Positions of lines that are only the rest of a recorded one. */
  #rests: readonly number[] = [];

  constructor(offset: number) {
    this.offset = offset;
  }

  /** The recorded lines before the run; null while they are not known. */
  get place(): RowPlace | null {
    return this.#place;
  }

  /** True when there are lines that only the recording has. */
  get hasEarlier(): boolean {
    return this.offset > 0 || this.#dropped > 0;
  }

  /** Recorded rows before the oldest line in memory. */
  get rowsBefore(): number {
    return this.#place ? this.#place.row + this.#dropped - this.#restsUpTo(this.#dropped) : 0;
  }

  begin(stream: Stream): { readonly position: number; readonly number: number; readonly isRest: boolean } {
    this.#begun += 1;
    if (!this.#firsts.has(stream)) {
      this.#firsts.set(stream, this.#begun);
      if (this.#place?.open.includes(stream)) this.#rests = [...this.#rests, this.#begun];
    }
    return { position: this.#begun, ...this.numberOf(this.#begun) };
  }

  numberOf(position: number): { readonly number: number; readonly isRest: boolean } {
    const number = (this.#place?.number ?? 0) + position - this.#restsUpTo(position);
    return { number, isRest: this.#rests.includes(position) };
  }

  drop(): void {
    this.#dropped += 1;
  }

  locate(place: RowPlace): void {
    this.#place = place;
    this.#rests = place.open.flatMap((stream) => this.#firsts.get(stream) ?? []);
  }

  #restsUpTo(position: number): number {
    return this.#rests.filter((rest) => rest <= position).length;
  }
}
