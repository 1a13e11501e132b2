// Focus among the list's rows: it stays with its row, moves to a neighbour when the row is removed, and to the first
// row of a new order.
import { useEffect, useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from 'react';
import { useStore } from 'zustand';
import type { ListItem } from '../../state/processes/list-items.ts';
import { pressedStore } from '../../commands/armed.ts';
import { endMeasuring, listOrder } from '../../state/processes/list-order.ts';

/** `measuring`: sorted by the usage known so far; no row has the focus yet. */
export type Order = 'grouped' | 'measuring' | 'busiest';

interface RowFocus {
  /** Index of the row that Tab reaches; the arrow keys continue from there. */
  readonly tabStop: number;
  /** Focuses the row of this item as soon as it is drawn. */
  readonly goTo: (item: ListItem) => void;
  readonly handlers: {
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
    readonly onBlur: () => void;
  };
}

export function useRowFocus(
  scroller: RefObject<HTMLElement | null>,
  items: readonly ListItem[],
  order: Order,
): RowFocus {
  const [visited, setVisited] = useState<{ readonly id: string; readonly at: number } | null>(null);
  const hasMoved = useStore(listOrder, (state) => state.hasMoved);
  const wanted = useRef<string | null>(null);
  const focused = useRef<HTMLElement | null>(null);
  // The tab stop is the first row, the busiest one, until the person interacts with the list.
  const leads = order === 'busiest' && !hasMoved;
  const at = visited === null ? -1 : items.findIndex(({ id }) => id === visited.id);
  if (visited !== null && at >= 0 && at !== visited.at) setVisited({ ...visited, at });
  const tabStop = leads || at < 0 ? nearest(items, 0) : at;
  const goTo = ({ id }: ListItem): void => {
    wanted.current = id;
    setVisited({ id, at: items.findIndex((item) => item.id === id) });
  };

  const [shown, setShown] = useState(order);
  if (shown !== order) {
    setShown(order);
    if (!hasMoved) setVisited(null);
  }
  useEffect(() => {
    const element = scroller.current;
    const isInList = element?.contains(document.activeElement) ?? false;
    // The grid gets the focus, so that a person who chose the order by a key can continue with the keyboard.
    if (order === 'measuring' && (isInList || document.activeElement === document.body))
      gridIn(element)?.focus({ preventScroll: true });
    if (listOrder.getState().hasMoved) return;
    element?.scrollTo(0, 0);
    if (order === 'grouped' && isInList) focusStop(element);
  }, [scroller, order]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const isGone = focused.current?.isConnected === false && document.activeElement === document.body;
    const neighbour = items[nearest(items, visited?.at ?? 0)];
    if (leads && (isGone || element?.contains(document.activeElement) === true)) focusStop(element);
    else if (isGone && neighbour) {
      // Try only once: a hidden list, for example behind a pane on a phone, cannot be focused.
      focused.current = null;
      goTo(neighbour);
    }
    if (order !== 'busiest' || !listOrder.getState().isMeasuring) return;
    // Queued keys are for the busiest row, even if the person has scrolled or moved the pointer in the meantime.
    const isWaitedFor = pressedStore.getState().waiting.length > 0 && isOnGrid(element);
    if (isWaitedFor) focusStop(element);
    const row = element?.querySelector('[role="row"][tabindex="0"]');
    if (isWaitedFor) row?.scrollIntoView({ block: 'nearest' });
    endMeasuring(row !== null && row === document.activeElement && (leads || isWaitedFor));
  });
  useEffect(() => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(wanted.current)}"]`);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });

  return {
    tabStop,
    goTo,
    handlers: {
      onFocus: ({ target }) => {
        focused.current = target;
        const id = target.closest<HTMLElement>('[data-item]')?.dataset['item'];
        setVisited(id === undefined ? null : { id, at: items.findIndex((item) => item.id === id) });
      },
      // Removed elements fire no blur event, so `focused` still refers to a row that was removed with the focus.
      onBlur: () => {
        focused.current = null;
      },
    },
  };
}

const gridIn = (element: HTMLElement | null): HTMLElement | null =>
  element?.querySelector<HTMLElement>('[role="treegrid"]') ?? null;

/** True when the grid itself has the focus rather than one of its rows. */
const isOnGrid = (element: HTMLElement | null): boolean =>
  element !== null && document.activeElement === gridIn(element);

function focusStop(element: HTMLElement | null): void {
  const stop = element?.querySelector<HTMLElement>('[role="row"][tabindex="0"]');
  if (!stop?.contains(document.activeElement)) stop?.focus({ preventScroll: true });
}

/**
 * Returns the index of the first process at or after this index, otherwise of the last one before it; 0 if there is
 * none.
 */
function nearest(items: readonly ListItem[], index: number): number {
  const isProcess = ({ kind }: ListItem): boolean => kind === 'process';
  const after = items.findIndex((item, at) => at >= index && isProcess(item));
  return after >= 0 ? after : Math.max(0, items.findLastIndex(isProcess));
}
