// The settings that a process's evicted output has left in its terminal, for all screens of the process.
import type { LogView } from '../keeper/process-view.ts';
import { EvictedState } from './evicted-state.ts';

const NOTHING = new Uint8Array();

export class Evicted {
  /** Null until output is evicted. */
  #state: EvictedState | null = null;

  /** Replaces the log's listener for evicted output. */
  constructor(log: LogView) {
    log.onEvict((bytes) => {
      this.#state ??= new EvictedState();
      this.#state.take(bytes);
    });
  }

  /** Control sequences that restore the settings; empty while nothing is evicted. */
  get sequence(): Uint8Array {
    return this.#state?.sequence ?? NOTHING;
  }
}
