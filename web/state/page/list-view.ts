// Commands that other parts of the page send to the process list, which alone has the rows and their focus.
import { createStore } from 'zustand/vanilla';

export type Step = 'next' | 'previous' | 'first' | 'last';

export interface ListRows {
  /**
   * Moves the focus from the focused row, and if `extend` is true extends the selection to the new row. Returns false
   * when no row is focused.
   */
  step(step: Step, extend: boolean): boolean;
  selectAll(): void;
  /** Focuses the row that the Tab key reaches. */
  focus(): void;
}

interface ListView {
  /** Commands for the rows; null while no rows are rendered. */
  readonly rows: ListRows | null;
  /** Focuses the filter; null while there is no list. */
  readonly filter: (() => void) | null;
}

export const listView = createStore<ListView>(() => ({ rows: null, filter: null }));
