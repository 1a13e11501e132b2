// In which order the list stands: by who started what, or the busiest first.
import { createStore } from 'zustand/vanilla';

export const listOrder = createStore<{ readonly isBusiest: boolean }>(() => ({ isBusiest: false }));

export const toggleBusiest = (): void => listOrder.setState(({ isBusiest }) => ({ isBusiest: !isBusiest }));
