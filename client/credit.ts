// Acknowledges drawn output of one attachment to the gateway, in batches.
import { MAX_CHUNK_BYTES } from '../protocol/console-constants.ts';
import type { Runtime } from './runtime.ts';

/** Longest delay of an acknowledgement. */
const ACK_MS = 50;

export interface CreditOptions {
  readonly windowBytes: number;
  readonly runtime: Runtime;
  acknowledge(seq: number): void;
}

export class Credit {
  readonly #options: CreditOptions;
  #pushed: { readonly seq: number; readonly bytes: number }[] = [];
  #unacked = 0;
  #stopTimer: (() => void) | null = null;
  #drawnSeq = 0;

  constructor(options: CreditOptions) {
    this.#options = options;
  }

  /**
   * Counts pushed output; returns false when the unacknowledged output exceeds the window by more than the maximum size
   * of a chunk.
   */
  pushed(seq: number, bytes: number): boolean {
    this.#pushed.push({ seq, bytes });
    this.#unacked += bytes;
    return this.#unacked <= this.#options.windowBytes + MAX_CHUNK_BYTES;
  }

  /**
   * Acknowledges everything drawn up to `seq`: at once from a quarter of the window, otherwise after a short
   * delay.
   */
  drawn(seq: number): void {
    this.#drawnSeq = Math.max(this.#drawnSeq, seq);
    const bytes = this.#drawn().reduce((sum, each) => sum + each.bytes, 0);
    if (bytes >= this.#options.windowBytes / 4) this.#flush();
    else if (bytes > 0) this.#stopTimer ??= this.#options.runtime.after(ACK_MS, () => this.#flush());
  }

  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = null;
  }

  #drawn() {
    const end = this.#pushed.findIndex(({ seq }) => seq > this.#drawnSeq);
    return end < 0 ? this.#pushed : this.#pushed.slice(0, end);
  }

  #flush(): void {
    this.stop();
    const drawn = this.#drawn();
    const last = drawn.at(-1);
    if (!last) return;
    this.#pushed = this.#pushed.slice(drawn.length);
    for (const { bytes } of drawn) this.#unacked -= bytes;
    this.#options.acknowledge(last.seq);
  }
}
