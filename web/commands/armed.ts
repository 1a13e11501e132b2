// Effect of one more press of a key: shown by name where it would happen, until it happens or is abandoned.
import { createStore } from 'zustand/vanilla';

export interface Armed {
  readonly stroke: string;
  /** Verb of the step, as in `to terminate`. */
  readonly verb: string;
  /** The process whose row or tile the key was pressed on. */
  readonly subject: string;
  /** Keys of the processes that the step would affect. */
  readonly keys: readonly string[];
}

interface Pressed {
  readonly armed: Armed | null;
  /** Pressed keys that wait for the busiest row, by their names. */
  readonly waiting: readonly string[];
}

export const pressedStore = createStore<Pressed>(() => ({ armed: null, waiting: [] }));
