// Retains the events of readers that must receive all output, and pauses the child when the slowest of them lags.
import type { EventLog } from './event-log.ts';
import type { Hold } from './process-view.ts';

export interface FlowLimits {
  readonly pauseBytes: number;
  readonly resumeBytes: number;
}

interface Place {
  seq: number;
  offset: number;
}

export class FlowControl {
  readonly #limits: FlowLimits;
  readonly #log: Pick<EventLog, 'totalBytes' | 'keepFrom'>;
  readonly #child: { pause(): void; resume(): void };
  readonly #places = new Set<Place>();
  #paused = false;

  constructor(
    limits: FlowLimits,
    log: Pick<EventLog, 'totalBytes' | 'keepFrom'>,
    child: { pause(): void; resume(): void },
  ) {
    this.#limits = limits;
    this.#log = log;
    this.#child = child;
  }

  hold(fromSeq: number, fromOffset: number): Hold {
    const place: Place = { seq: fromSeq, offset: fromOffset };
    this.#places.add(place);
    this.check();
    return {
      release: (seq, offset) => {
        place.seq = seq;
        place.offset = offset;
        this.check();
      },
      close: () => {
        this.#places.delete(place);
        this.check();
      },
    };
  }

  /** Applies the limits; call it after every output. */
  check(): void {
    let seq = Number.POSITIVE_INFINITY;
    let offset = Number.POSITIVE_INFINITY;
    for (const place of this.#places) {
      seq = Math.min(seq, place.seq);
      offset = Math.min(offset, place.offset);
    }
    this.#log.keepFrom(seq);
    const unread = this.#log.totalBytes - offset;
    if (!this.#paused && unread > this.#limits.pauseBytes) {
      this.#paused = true;
      this.#child.pause();
    } else if (this.#paused && unread <= this.#limits.resumeBytes) {
      this.#paused = false;
      this.#child.resume();
    }
  }
}
