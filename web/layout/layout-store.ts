// Which panes are open and where, which has the focus; kept for a reload, and for the next tab.
import { createStore } from 'zustand/vanilla';
import {
  addPane,
  keysOf,
  movePane,
  parseLayout,
  placePanes,
  removePane,
  roomFor,
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
  const { beside, side } = roomFor(layout, focused, stageSize());
  change({ layout: addPane(layout, key, beside, side), focused: key });
}

/** The pixels that the pane of a process that is about to be opened will have. */
export function nextPaneSize(): { readonly width: number; readonly height: number } {
  const { layout, focused } = layoutStore.getState();
  const stage = stageSize();
  const { beside, side } = roomFor(layout, focused, stage);
  const added = placePanes(addPane(layout, NEXT, beside, side)).find(({ key }) => key === NEXT);
  return { width: stage.width * (added?.rect.width ?? 1), height: stage.height * (added?.rect.height ?? 1) };
}

/** No process has this key. */
const NEXT = '';

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

function stageSize(): { readonly width: number; readonly height: number } {
  const stage = document.querySelector('.panes') ?? document.querySelector('.stage');
  return { width: stage?.clientWidth ?? 0, height: stage?.clientHeight ?? 0 };
}

function change(state: LayoutState): void {
  layoutStore.setState(state, true);
  const text = JSON.stringify(state);
  // A tab comes back as it was; a new one begins as the last one was left.
  sessionStorage.setItem(STORAGE_KEY, text);
  localStorage.setItem(STORAGE_KEY, text);
}

function restore(): LayoutState {
  let kept: unknown = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY) ?? 'null');
  } catch {
    // What cannot be read is as good as nothing.
  }
  const { layout: node, focused } = (kept ?? {}) as { readonly layout?: unknown; readonly focused?: unknown };
  const layout = parseLayout(node);
  const keys = keysOf(layout);
  return { layout, focused: keys.find((key) => key === focused) ?? keys.at(-1) ?? null };
}
