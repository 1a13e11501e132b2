// Keys of the selected processes in the list; actions on the selection affect all of them, visible or not.
import { createStore } from 'zustand/vanilla';
import { processStore } from '../processes/process-store.ts';

interface Selection {
  /** Keys in the order of selection. */
  readonly keys: readonly string[];
  /** Key of the row from which a range is selected. */
  readonly anchor: string | null;
  /** True while tapping a row selects it, for touch devices without modifier keys. */
  readonly isTapping: boolean;
}

const NOTHING: Selection = { keys: [], anchor: null, isTapping: false };

export const selectionStore = createStore<Selection>(() => NOTHING);

export const clearSelection = (): void => selectionStore.setState(NOTHING);

export const toggleTapping = (): void =>
  selectionStore.setState(({ isTapping }) => (isTapping ? NOTHING : { isTapping: true }));

export const toggleSelected = (key: string): void =>
  selectionStore.setState(({ keys }) => ({
    keys: keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key],
    anchor: key,
  }));

export const selectAlso = (added: readonly string[]): void =>
  selectionStore.setState(({ keys }) => ({ keys: [...new Set([...keys, ...added])] }));

/**
 * Selects the range from the anchor to this row in list order; without a selected anchor in the list, from
 * `from`.
 */
export const selectTo = (key: string, from: string, order: readonly string[]): void =>
  selectionStore.setState(({ keys, anchor }) => {
    const start = anchor !== null && keys.includes(anchor) && order.includes(anchor) ? anchor : from;
    const former = rangeOf(order, start, keys.filter((each) => order.includes(each)).at(-1) ?? start);
    // Rows no longer in the range are deselected.
    const others = keys.filter((each) => !former.includes(each));
    return { keys: [...others, ...rangeOf(order, start, key)], anchor: start };
  });

/** Returns the range from `from` to `to`, both included: only `to` if `from` is not in `order`, none if `to` is not. */
function rangeOf(order: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)];
  if (a < 0 || b < 0) return b < 0 ? [] : [to];
  return a <= b ? order.slice(a, b + 1) : order.slice(b, a + 1).toReversed();
}

function knownOf(keys: readonly string[]): readonly string[] {
  const { processes } = processStore.getState();
  return keys.filter((key) => processes[key] !== undefined);
}

/**
 * Returns the keys of the processes that a command affects: the whole selection, without processes that are no longer
 * in the list, if the command was run on a row that is part of it; otherwise only `key`.
 */
export function meantBy(key: string, isOnRow: boolean): readonly string[] {
  const { keys } = selectionStore.getState();
  return isOnRow && keys.includes(key) ? knownOf(keys) : [key];
}
