// Commands on the list of processes, which knows its rows and the focused one.
import { createStore } from 'zustand/vanilla';

export type Step = 'next' | 'previous' | 'first' | 'last';

export interface ListRows {
  /**
   * Moves the focus from the focused row; with `extend` also selects the rows in between. Returns false when no row is
   * focused.
   */
  step(step: Step, extend: boolean): boolean;
  selectAll(): void;
  /** Focuses the row at which the Tab key stops. */
  focus(): void;
}

interface ListView {
  /** Commands on the rows; null while there are none. */
  readonly rows: ListRows | null;
  /** Focuses the filter; null while there is no list. */
  readonly filter: (() => void) | null;
}

/** Store in which the list puts its commands while it is mounted. */
export const listView = createStore<ListView>(() => ({ rows: null, filter: null }));
