// In which order the list stands: by who started what, or the busiest first.
import { createStore } from 'zustand/vanilla';

interface ListOrder {
  readonly isBusiest: boolean;
  /** Whether the load of some processes is not known yet, so that no row has the focus for being the busiest. */
  readonly isMeasuring: boolean;
  /** True when the row that has the focus got it for being the busiest, as soon as that was known. */
  readonly isAimed: boolean;
  /** Whether the person has pressed a key or pointed in the list since the order was asked for. */
  readonly hasMoved: boolean;
}

const GROUPED: ListOrder = { isBusiest: false, isMeasuring: false, isAimed: false, hasMoved: false };

export const listOrder = createStore<ListOrder>(() => GROUPED);

export const toggleBusiest = (): void =>
  listOrder.setState(({ isBusiest }) =>
    isBusiest ? GROUPED : { ...GROUPED, isBusiest: true, isMeasuring: true },
  );

/** The order is complete, and the list has put the focus where it belongs. */
export const endMeasuring = (isAimed: boolean): void => {
  if (listOrder.getState().isMeasuring) listOrder.setState({ isMeasuring: false, isAimed });
};

export const noteMove = (): void => {
  if (!listOrder.getState().hasMoved) listOrder.setState({ hasMoved: true });
};
