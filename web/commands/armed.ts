// What one more press of a key would do: shown where it would be done, by name, until it is done or not meant any more.
import { createStore } from 'zustand/vanilla';

export interface Armed {
  readonly stroke: string;
  /** As in `to terminate`. */
  readonly verb: string;
  /** The process whose row or tile the key was pressed on. */
  readonly subject: string;
  /** The processes that it would be done to. */
  readonly keys: readonly string[];
}

interface Pressed {
  readonly armed: Armed | null;
  /** Keys that wait for the busiest row, as they are called. */
  readonly waiting: readonly string[];
}

export const pressedStore = createStore<Pressed>(() => ({ armed: null, waiting: [] }));
