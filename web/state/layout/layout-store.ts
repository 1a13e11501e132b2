// Layout of the open processes and the focused one; stored for a reload and for the next browser tab.
import { createStore } from 'zustand/vanilla';
import { fits, neighbourOf, placeLayout, type Space } from './layout-places.ts';
import {
  groupWith,
  groupsOf,
  keysOf,
  MOST_TABS,
  openTab,
  parseLayout,
  placePane,
  removePane,
  setShare,
  showTab,
  type Layout,
  type Path,
  type Place,
  type Side,
} from './layout-tree.ts';
import { ofThisGateway, readStored, readText, writeStored } from '../page/storage.ts';

interface LayoutState {
  readonly layout: Layout | null;
  /** Key of the process that pane commands apply to; it is the visible tab of its group. */
  readonly focused: string | null;
  /** True when the group of the focused pane fills all the space and hides the other groups. */
  readonly isZoomed: boolean;
  /**
   * Pane that gets the keyboard focus next; a new object each time, so that the same pane can be focused
   * again.
   */
  readonly wanted: { readonly key: string } | null;
}

const STORAGE_KEY = ofThisGateway('exec-console.layout');

export const layoutStore = createStore<LayoutState>(() => restore());

/** Shows a process in its tab, or in a new tab next to the focused one. All panes keep their size. */
export function openPane(key: string): void {
  const { layout, focused } = layoutStore.getState();
  goTo(withRoom(openTab(layout, key, focused), key), key);
}

/** Shows a process on one side of the focused one, or as a tab if there is no room. */
export function openBeside(key: string, side: Side): void {
  const { layout, focused } = layoutStore.getState();
  const opened = openTab(layout, key, focused);
  goTo(withRoom(focused === null ? opened : placed(opened, key, focused, side), key), key);
}

/** Returns the size in px that the next opened pane will have. */
export function nextPaneSize(): Space {
  const { layout, focused, isZoomed } = layoutStore.getState();
  const { groups, whole } = placeLayout(isZoomed ? null : layout, stageSize());
  const target = groups.find(({ group }) => group.keys.some((key) => key === focused)) ?? groups[0];
  return target?.rect ?? whole;
}

export function closePane(key: string): void {
  closePanes([key]);
}

export function closePanes(keys: readonly string[]): void {
  const { layout, focused } = layoutStore.getState();
  let left = layout;
  let next = focused;
  for (const key of keys) {
    if (next === key) next = successor(left, key);
    left = removePane(left, key);
  }
  change({ layout: left, focused: next });
  if (next !== null) layoutStore.setState({ wanted: { key: next } });
}

/** Marks a pane as focused after the focus moved to it or its tab was chosen; does not move the keyboard focus. */
export function focusPane(key: string): void {
  const { layout, focused } = layoutStore.getState();
  const shown = layout && showTab(layout, key);
  if (focused === key && shown === layout) return;
  change({ layout: shown, focused: key });
  layoutStore.setState({ wanted: null });
}

/** Shows the tab of a process, and focuses its terminal. */
export function goToPane(key: string): void {
  const { layout } = layoutStore.getState();
  if (layout && groupWith(layout, key)) goTo(showTab(layout, key), key);
}

/** Moves or opens a tab in the group of `beside` or, if there is room, in a new group beside it. */
export function movePane(key: string, beside: string, place: Place): void {
  const { layout } = layoutStore.getState();
  const opened = openTab(layout, key, beside);
  goTo(withRoom(placed(opened, key, beside, place), key), key);
}

/** Returns true when there is room for the process as a separate group on that side. */
export function hasRoomBeside(key: string, beside: string, side: Side): boolean {
  const opened = openTab(layoutStore.getState().layout, key, beside);
  return fits(placePane(opened, key, beside, side), stageSize());
}

export function resizePanes(path: Path, share: number): void {
  const { layout } = layoutStore.getState();
  if (layout) change({ layout: setShare(layout, path, share) });
}

export function toggleZoom(): void {
  const { isZoomed, focused } = layoutStore.getState();
  if (focused === null) return;
  change({ isZoomed: !isZoomed });
  goToPane(focused);
}

export function setLayout(layout: Layout): void {
  const [first] = groupsOf(layout);
  if (!first) return;
  change({ isZoomed: false });
  goTo(layout, first.shown);
}

function placed(layout: Layout, key: string, beside: string, place: Place): Layout {
  const moved = placePane(layout, key, beside, place);
  const isTooTight = typeof place !== 'number' && !fits(moved, stageSize());
  return isTooTight ? layout : moved;
}

/**
 * Returns the key that gets the focus when this one closes: another tab of its group, or the visible tab of a
 * neighbouring group; null when there is none.
 */
function successor(layout: Layout | null, key: string): string | null {
  const own = groupWith(layout, key);
  if (own && own.keys.length > 1) {
    const at = own.keys.indexOf(key);
    return own.shown === key ? (own.keys[at + 1] ?? own.keys[at - 1] ?? null) : own.shown;
  }
  const sides: readonly Side[] = ['left', 'above', 'right', 'below'];
  const beside = sides.map((side) => neighbourOf(layout, key, side)).find((each) => each !== null);
  return beside?.shown ?? null;
}

/**
 * Returns the layout, without its first hidden tab, or the first one other than `newest`, when too many tabs are
 * open, since each costs memory. The process of the closed tab continues.
 */
function withRoom(layout: Layout, newest: string): Layout {
  const keys = keysOf(layout);
  if (keys.length <= MOST_TABS) return layout;
  const shown = new Set(groupsOf(layout).map((each) => each.shown));
  const hidden = keys.find((key) => !shown.has(key)) ?? keys.find((key) => key !== newest);
  return hidden === undefined ? layout : (removePane(layout, hidden) ?? layout);
}

function goTo(layout: Layout, key: string): void {
  change({ layout, focused: key });
  layoutStore.setState({ wanted: { key } });
}

function stageSize(): Space {
  const stage = document.querySelector('.panes') ?? document.querySelector('.stage');
  return { width: stage?.clientWidth ?? 0, height: stage?.clientHeight ?? 0 };
}

function change(changed: Partial<LayoutState>): void {
  layoutStore.setState((state) => {
    const { layout, isZoomed } = { ...state, ...changed };
    // A single group is never zoomed, and a new split must be visible.
    const groups = groupsOf(layout).length;
    return { ...changed, isZoomed: isZoomed && groups > 1 && groups <= groupsOf(state.layout).length };
  });
  const { layout, focused, isZoomed } = layoutStore.getState();
  // A reloaded tab restores its own layout; a new tab starts with the browser's last one.
  for (const keeper of ['tab', 'browser'] as const) {
    writeStored(STORAGE_KEY, { layout, focused, isZoomed }, keeper);
  }
}

function restore(): LayoutState {
  const keeper = readText(STORAGE_KEY, 'tab') === null ? 'browser' : 'tab';
  return readStored(STORAGE_KEY, parseState, keeper);
}

function parseState(stored: unknown): LayoutState {
  const read = (stored ?? {}) as { readonly [member in keyof LayoutState]?: unknown };
  const layout = parseLayout(read.layout);
  const keys = keysOf(layout);
  const focused = keys.find((key) => key === read.focused) ?? groupsOf(layout)[0]?.shown ?? null;
  return {
    layout: layout && focused !== null ? showTab(layout, focused) : layout,
    focused,
    isZoomed: read.isZoomed === true && groupsOf(layout).length > 1,
    wanted: focused === null ? null : { key: focused },
  };
}
