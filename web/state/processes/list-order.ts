// Order of the list: by starter, or busiest first.
import { createStore } from 'zustand/vanilla';

interface ListOrder {
  readonly isBusiest: boolean;
  /** True while the load of some processes is unknown; meanwhile, no row is focused for being the busiest. */
  readonly isMeasuring: boolean;
  /** True when the focused row got the focus because it was the busiest. */
  readonly isAimed: boolean;
  /** True when the person has used the keyboard or the pointer in the list since choosing the order. */
  readonly hasMoved: boolean;
}

const GROUPED: ListOrder = { isBusiest: false, isMeasuring: false, isAimed: false, hasMoved: false };

export const listOrder = createStore<ListOrder>(() => GROUPED);

export const toggleBusiest = (): void =>
  listOrder.setState(({ isBusiest }) =>
    isBusiest ? GROUPED : { ...GROUPED, isBusiest: true, isMeasuring: true },
  );

/** Ends the measurement and sets `isAimed`; call this once the order is complete and the list has set the focus. */
export const endMeasuring = (isAimed: boolean): void => {
  if (listOrder.getState().isMeasuring) listOrder.setState({ isMeasuring: false, isAimed });
};

export const noteMove = (): void => {
  if (!listOrder.getState().hasMoved) listOrder.setState({ hasMoved: true });
};
