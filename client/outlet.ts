// Between a process's events and whoever shows them: keeps them until there is a sink, and knows what is not drawn yet.
import type { OutputSink, RequestError } from './exec-client.ts';
import type { LogEvent } from './ordered-events.ts';

/** What a sink can be told. */
export type Told =
  | LogEvent
  | { readonly kind: 'reconnected'; readonly isJustNow: boolean }
  | { readonly kind: 'refused'; readonly error: RequestError };

export class Outlet {
  readonly #onDrawn: (seq: number) => void;
  #sink: OutputSink | null = null;
  /** Bounded by the attachment: nothing more is asked for, or pushed, than may be undrawn. */
  #kept: Told[] = [];
  #undrawn: { readonly seq: number; readonly bytes: number; isDrawn: boolean }[] = [];
  #undrawnBytes = 0;
  #isComplete = false;

  /** `onDrawn` is told that everything up to a seq has been drawn. */
  constructor(onDrawn: (seq: number) => void) {
    this.#onDrawn = onDrawn;
  }

  /** Bytes that were taken in and have not been drawn. */
  get undrawnBytes(): number {
    return this.#undrawnBytes;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  give(told: Told): void {
    if (told.kind === 'output') this.#undrawnBytes += told.bytes.length;
    if (this.#sink) this.#tell(this.#sink, told);
    else this.#kept.push(told);
  }

  follow(sink: OutputSink): () => void {
    this.#release();
    this.#sink = sink;
    const kept = this.#kept;
    this.#kept = [];
    for (const told of kept) this.#tell(sink, told);
    return () => {
      if (this.#sink !== sink) return;
      this.#sink = null;
      this.#release();
    };
  }

  #tell(sink: OutputSink, told: Told): void {
    switch (told.kind) {
      case 'output':
        sink.output(told, this.#drawnBy(told.seq, told.bytes.length));
        return;
      case 'gap':
        sink.gap(told);
        return;
      case 'resized':
        sink.resized({ ...told.size, afterSeq: told.afterSeq });
        return;
      case 'exited':
        sink.exited(told);
        return;
      case 'closed':
        this.#isComplete = true;
        sink.closed();
        return;
      case 'reconnected':
        sink.reconnected(told.isJustNow);
        return;
      case 'refused':
        sink.refused?.(told.error);
    }
  }

  /** A sink may finish its pieces in any order, and say so twice; credit is given in order, and once. */
  #drawnBy(seq: number, bytes: number): () => void {
    const entry = { seq, bytes, isDrawn: false };
    this.#undrawn.push(entry);
    return () => {
      entry.isDrawn = true;
      if (this.#undrawn[0] !== entry) return;
      const end = this.#undrawn.findIndex((each) => !each.isDrawn);
      this.#settle(this.#undrawn.splice(0, end < 0 ? this.#undrawn.length : end));
    };
  }

  /** A sink that has gone draws nothing more, and must not keep back what its successor gets. */
  #release(): void {
    this.#settle(this.#undrawn.splice(0));
  }

  #settle(drawn: readonly { readonly seq: number; readonly bytes: number }[]): void {
    for (const { bytes } of drawn) this.#undrawnBytes -= bytes;
    const last = drawn.at(-1);
    if (last) this.#onDrawn(last.seq);
  }
}
