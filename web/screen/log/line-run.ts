// Lines since the start of the output or the last gap: their numbers, and the number of recorded rows before them.
import type { Stream } from '../../../protocol/process.ts';
import type { RowPlace } from '../../../protocol/recorded-lines.ts';

export class LineRun {
  /** Bytes of output before the run, over all streams. */
  readonly offset: number;
  #place: RowPlace | null = null;
  /** Number of lines started in the run, and how many of them were dropped. */
  #begun = 0;
  #dropped = 0;
  /** Position in the run of each stream's first line, counted from 1. */
  readonly #firsts = new Map<Stream, number>();
  /** Positions of lines that only continue a recorded line. */
  #rests: readonly number[] = [];

  constructor(offset: number) {
    this.offset = offset;
  }

  /** Position of the run among the recorded rows; null while unknown. */
  get place(): RowPlace | null {
    return this.#place;
  }

  /** True when output precedes the run's oldest line in memory. */
  get hasEarlier(): boolean {
    return this.offset > 0 || this.#dropped > 0;
  }

  /** Number of recorded rows before the run's oldest line in memory; 0 while unknown. */
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
