// In which order the list stands: by who started what, or the busiest first.
import { createStore } from 'zustand/vanilla';

interface ListOrder {
  readonly isBusiest: boolean;
  /** Whether the load of some processes is not known yet, so that no row has the focus for being the busiest. */
  readonly isMeasuring: boolean;
  /** Whether the person has pressed a key or pointed in the list since the order was asked for. */
  readonly hasMoved: boolean;
}

const GROUPED: ListOrder = { isBusiest: false, isMeasuring: false, hasMoved: false };

export const listOrder = createStore<ListOrder>(() => GROUPED);

export const toggleBusiest = (): void =>
  listOrder.setState(({ isBusiest }) =>
    isBusiest ? GROUPED : { isBusiest: true, isMeasuring: true, hasMoved: false },
  );

/** The order is complete, and the list has put the focus where it belongs. */
export const endMeasuring = (): void => {
  if (listOrder.getState().isMeasuring) listOrder.setState({ isMeasuring: false });
};

export const noteMove = (): void => {
  if (!listOrder.getState().hasMoved) listOrder.setState({ hasMoved: true });
};
