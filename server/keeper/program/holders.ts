// Watches whether other processes still hold the output of an exited process open.
import type { Child } from '../../host/child.ts';
import type { Streams } from '../wire/messages.ts';

const LOOK_MS = 500;

export class Holders {
  readonly #child: Pick<Child, 'streams' | 'isOutputHeld'>;
  readonly #changed: (streams: Streams) => void;
  #wasHeld = false;
  #look: NodeJS.Timeout | null = null;

  /** `changed` is called, while watching, when `isOutputHeld` has changed. */
  constructor(child: Pick<Child, 'streams' | 'isOutputHeld'>, changed: (streams: Streams) => void) {
    this.#child = child;
    this.#changed = changed;
  }

  now(): Streams {
    const { streams, isOutputHeld } = this.#child;
    this.#wasHeld = isOutputHeld;
    return { streams, isHeld: isOutputHeld };
  }

  watch(): void {
    this.#look ??= setInterval(() => {
      if (this.#child.isOutputHeld !== this.#wasHeld) this.#changed(this.now());
    }, LOOK_MS);
  }

  stop(): void {
    if (this.#look) clearInterval(this.#look);
    this.#look = null;
  }
}
