// Decides when a child is not read any more: when one that must not miss anything has fallen behind.

/** A reader for whom the process is held back. */
export interface Holder {
  /** Decoded bytes the process has printed that this reader has not taken. */
  unreadBytes(): number;
}

export interface FlowLimits {
  readonly pauseBytes: number;
  readonly resumeBytes: number;
}

export class FlowControl {
  readonly #limits: FlowLimits;
  readonly #child: { pause(): void; resume(): void };
  readonly #holders = new Set<Holder>();
  #paused = false;

  constructor(limits: FlowLimits, child: { pause(): void; resume(): void }) {
    this.#limits = limits;
    this.#child = child;
  }

  /** From now on this reader is waited for, until the returned function is called. */
  hold(holder: Holder): () => void {
    this.#holders.add(holder);
    this.check();
    return () => {
      this.#holders.delete(holder);
      this.check();
    };
  }

  /** To be called after every output and after every step of a holder. */
  check(): void {
    let unread = 0;
    for (const holder of this.#holders) unread = Math.max(unread, holder.unreadBytes());
    if (!this.#paused && unread > this.#limits.pauseBytes) {
      this.#paused = true;
      this.#child.pause();
    } else if (this.#paused && unread <= this.#limits.resumeBytes) {
      this.#paused = false;
      this.#child.resume();
    }
  }
}
