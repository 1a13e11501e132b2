// Which processes are selected in the list, by key: what is done to a selection is done to these, whatever is in sight.
import { createStore } from 'zustand/vanilla';
import { processStore } from '../processes/process-store.ts';

interface Selection {
  /** In the order in which they were selected. */
  readonly keys: readonly string[];
  /** Where a range begins. */
  readonly anchor: string | null;
  /** Whether a tap selects, for fingers, which have no other keys to hold. */
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

/** These, and those that are selected already. */
export const selectAlso = (added: readonly string[]): void =>
  selectionStore.setState(({ keys }) => ({ keys: [...new Set([...keys, ...added])] }));

/** From where the last one was selected to here, in the order of the list; `from` where none was. */
export const selectTo = (key: string, from: string, order: readonly string[]): void =>
  selectionStore.setState(({ keys, anchor }) => {
    const start = anchor !== null && keys.includes(anchor) && order.includes(anchor) ? anchor : from;
    const former = rangeOf(order, start, keys.filter((each) => order.includes(each)).at(-1) ?? start);
    // What the range gives up on its way back is selected no more.
    const others = keys.filter((each) => !former.includes(each));
    return { keys: [...others, ...rangeOf(order, start, key)], anchor: start };
  });

/** Both ends, from the first to the second. */
function rangeOf(order: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)];
  if (a < 0 || b < 0) return b < 0 ? [] : [to];
  return a <= b ? order.slice(a, b + 1) : order.slice(b, a + 1).toReversed();
}

/** Those of them that the gateway still knows. */
function knownOf(keys: readonly string[]): readonly string[] {
  const { processes } = processStore.getState();
  return keys.filter((key) => processes[key] !== undefined);
}

/** What is meant by a key that is pressed on a row: the selection, if the row is part of it. */
export function meantBy(key: string, isOnRow: boolean): readonly string[] {
  const { keys } = selectionStore.getState();
  return isOnRow && keys.includes(key) ? knownOf(keys) : [key];
}
