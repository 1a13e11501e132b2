// Retention of one process's log: the process is held back when the log is full, or its gateway lags.
import type { Owned } from '../wire/messages.ts';
import type { GatewayFeed } from './gateway-feed.ts';
import { AHEAD_AGAIN_BYTES, AHEAD_BYTES, owedShare } from './log-limits.ts';
import type { ProcessLog } from './process-log.ts';

export class Retention {
  readonly #log: ProcessLog;
  readonly #feed: GatewayFeed;
  owned: Owned;
  /** True while a new gateway reads the log on disk, and does not follow the process yet. */
  isBeingRead = false;
  #isFull = false;
  /** True while the gateway lags so far behind the output that the process is paused. */
  #isAhead = false;

  constructor(log: ProcessLog, feed: GatewayFeed, owned: Owned) {
    this.#log = log;
    this.#feed = feed;
    this.owned = owned;
  }

  get isHeldBack(): boolean {
    return this.#isFull || this.#isAhead;
  }

  /**
   * Evicts the oldest segments, unless they are needed, until the log has at most `most` bytes; then determines whether
   * the process is held back.
   */
  makeRoom(most: number): void {
    while (this.#log.bytes > most && this.#log.dropBefore(this.#neededFrom(most)));
    this.#isFull = this.#log.bytes > most && (this.owned.isOwned || this.isBeingRead);
    this.#isAhead = this.#feed.unsentBytes > (this.#isAhead ? AHEAD_AGAIN_BYTES : AHEAD_BYTES);
  }

  /** Returns the offset from which on output is needed: -Infinity when all of it is, Infinity when none is. */
  #neededFrom(most: number): number {
    if (this.isBeingRead) return Number.NEGATIVE_INFINITY;
    const { isBehind, sentOffset } = this.#feed;
    const { isOwned, owedFrom = Infinity } = this.owned;
    // A killed gateway may have received output that it did not deliver to the owner of the process.
    return isOwned || isBehind ? Math.min(sentOffset - owedShare(most), owedFrom) : Infinity;
  }
}
