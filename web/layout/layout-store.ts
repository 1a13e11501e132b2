// Which panes are open and where, which has the focus; kept per browser.
import { createStore } from 'zustand/vanilla';
import {
  addPane,
  keysOf,
  movePane,
  parseLayout,
  removePane,
  setShare,
  type Layout,
  type Path,
  type Side,
} from './layout-tree.ts';

interface LayoutState {
  readonly layout: Layout | null;
  readonly focused: string | null;
}

const STORAGE_KEY = 'exec-console.layout';

export const layoutStore = createStore<LayoutState>(() => restore());

/** Shows a process: its pane gets the focus, and is made beside the focused one when there is none. */
export function openPane(key: string): void {
  const { layout, focused } = layoutStore.getState();
  change({ layout: addPane(layout, key, focused, sideFor(focused)), focused: key });
}

export function closePane(key: string): void {
  const { layout, focused } = layoutStore.getState();
  const without = removePane(layout, key);
  change({ layout: without, focused: focused === key ? (keysOf(without).at(-1) ?? null) : focused });
}

export function focusPane(key: string | null): void {
  if (layoutStore.getState().focused !== key) change({ ...layoutStore.getState(), focused: key });
}

export function placePane(key: string, beside: string, side: Side): void {
  const { layout } = layoutStore.getState();
  const isOpen = keysOf(layout).includes(key);
  const placed = isOpen && layout ? movePane(layout, key, beside, side) : addPane(layout, key, beside, side);
  change({ layout: placed, focused: key });
}

export function resizePanes(path: Path, share: number): void {
  const { layout, focused } = layoutStore.getState();
  if (layout) change({ layout: setShare(layout, path, share), focused });
}

function change(state: LayoutState): void {
  layoutStore.setState(state, true);
  localStorage.setItem(STORAGE_KEY, JSON.stringify(state.layout));
}

function restore(): LayoutState {
  let kept: unknown = null;
  try {
    kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
  } catch {
    // What cannot be read is as good as nothing.
  }
  const layout = parseLayout(kept);
  return { layout, focused: keysOf(layout).at(-1) ?? null };
}

/** A wide pane is split side by side, a high one above each other. */
function sideFor(key: string | null): Side {
  const element =
    key === null ? null : document.querySelector(`[role="region"][data-process-key="${CSS.escape(key)}"]`);
  if (!element) return 'right';
  return element.clientWidth >= element.clientHeight * 1.4 ? 'right' : 'below';
}
