// The step that a second press of a key would perform, shown by name until it is performed or abandoned; also the keys
// that are queued until the busiest row is known.
import { createStore } from 'zustand/vanilla';

export interface Armed {
  readonly stroke: string;
  /** Verb of the step, such as `terminate`. */
  readonly verb: string;
  /** Key of the process whose row or tile had the focus at the first press. */
  readonly subject: string;
  /** Place of the hint: `tile` if a tile or a row of the table had the focus, otherwise `row`, the row of the list. */
  readonly place: 'row' | 'tile';
  /** Keys of the processes that the step would affect. */
  readonly keys: readonly string[];
}

interface Pressed {
  readonly armed: Armed | null;
  /** Names of the pressed keys that are queued until the busiest row is known. */
  readonly waiting: readonly string[];
}

export const pressedStore = createStore<Pressed>(() => ({ armed: null, waiting: [] }));
