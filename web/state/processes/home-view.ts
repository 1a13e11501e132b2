// Table of all processes, shown while no pane is open: its sort order, and the row with visible details.
import { createStore } from 'zustand/vanilla';
import { HOME_COLUMNS, sortedBy, type HomeColumn, type HomeSort } from './home-order.ts';
import { readStored, writeStored } from '../page/storage.ts';

const STORED = 'exec-console.home';

interface HomeView {
  readonly sort: HomeSort;
  /** Key of the process whose details are shown, or null. */
  readonly expanded: string | null;
}

export const homeView = createStore<HomeView>(() => ({
  sort: readStored(STORED, parseSort),
  expanded: null,
}));

export function sortHomeBy(column: HomeColumn): void {
  const sort = sortedBy(column, homeView.getState().sort);
  homeView.setState({ sort });
  writeStored(STORED, sort);
}

export const expandInHome = (expanded: string | null): void => homeView.setState({ expanded });

function parseSort(value: unknown): HomeSort {
  const { by, isReversed } = (value ?? {}) as { readonly [member in keyof HomeSort]?: unknown };
  return {
    by: HOME_COLUMNS.find((column) => column === by) ?? 'status',
    isReversed: isReversed === true,
  };
}
