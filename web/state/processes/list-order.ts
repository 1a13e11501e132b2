// Order of the list: by who started the processes, or the busiest first.
import { createStore } from 'zustand/vanilla';

interface ListOrder {
  readonly isBusiest: boolean;
  /** True while the load of some processes is unknown, so that no row is focused for being the busiest. */
  readonly isMeasuring: boolean;
  /** True when the focused row got the focus for being the busiest, as soon as that was known. */
  readonly isAimed: boolean;
  /** True when the person has pressed a key or pointed in the list since they chose the order. */
  readonly hasMoved: boolean;
}

const GROUPED: ListOrder = { isBusiest: false, isMeasuring: false, isAimed: false, hasMoved: false };

export const listOrder = createStore<ListOrder>(() => GROUPED);

export const toggleBusiest = (): void =>
  listOrder.setState(({ isBusiest }) =>
    isBusiest ? GROUPED : { ...GROUPED, isBusiest: true, isMeasuring: true },
  );

/** Ends the measuring: the order is complete, and the list has set the focus. */
export const endMeasuring = (isAimed: boolean): void => {
  if (listOrder.getState().isMeasuring) listOrder.setState({ isMeasuring: false, isAimed });
};

export const noteMove = (): void => {
  if (!listOrder.getState().hasMoved) listOrder.setState({ hasMoved: true });
};
