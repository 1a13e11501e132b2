// Acts of the list of processes for commands: it knows its rows, and which of them has the focus.
import { createStore } from 'zustand/vanilla';

export type Step = 'next' | 'previous' | 'first' | 'last';

export interface ListRows {
  /** Goes there from the row that has the focus; with `extend` it selects what is passed. False where no row has it. */
  step(step: Step, extend: boolean): boolean;
  selectAll(): void;
  /** Gives the focus to the row at which the Tab key stops. */
  focus(): void;
}

interface ListView {
  /** Null while there are no rows. */
  readonly rows: ListRows | null;
  /** Goes to the field that filters; null while there is no list. */
  readonly filter: (() => void) | null;
}

/** The list puts in here what it can do, for as long as it is there. */
export const listView = createStore<ListView>(() => ({ rows: null, filter: null }));
