// Which processes are open and where, which has the focus; kept for a reload, and for the next tab of the browser.
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
  /** The process whose pane is meant by what is done; shown in its group. */
  readonly focused: string | null;
  /** Whether the group of the focused one has all the space. */
  readonly isZoomed: boolean;
  /** The pane that is to take the keyboard; a new object each time that it is. */
  readonly wanted: { readonly key: string } | null;
}

const STORAGE_KEY = ofThisGateway('exec-console.layout');

export const layoutStore = createStore<LayoutState>(() => restore());

/** Shows a process: its tab, or a new one beside the focused one. No other pane goes, and none changes its size. */
export function openPane(key: string): void {
  const { layout, focused } = layoutStore.getState();
  goTo(withRoom(openTab(layout, key, focused), key), key);
}

/** Shows a process on that side of the focused one; as a tab where there is no room for that. */
export function openBeside(key: string, side: Side): void {
  const { layout, focused } = layoutStore.getState();
  const opened = openTab(layout, key, focused);
  goTo(withRoom(focused === null ? opened : placed(opened, key, focused, side), key), key);
}

/** The pixels that the pane of a process that is about to be opened will have. */
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

/** The focus has gone to this pane, or its tab was chosen: nothing takes the keyboard from where it is. */
export function focusPane(key: string): void {
  const { layout, focused } = layoutStore.getState();
  const shown = layout && showTab(layout, key);
  if (focused === key && shown === layout) return;
  change({ layout: shown, focused: key });
  layoutStore.setState({ wanted: null });
}

/** Shows its tab, and gives its terminal the keyboard. */
export function goToPane(key: string): void {
  const { layout } = layoutStore.getState();
  if (layout && groupWith(layout, key)) goTo(showTab(layout, key), key);
}

/** Moves a tab, or opens one, at a place of the group of `beside`; on a side of it only where there is room. */
export function movePane(key: string, beside: string, place: Place): void {
  const { layout } = layoutStore.getState();
  const opened = openTab(layout, key, beside);
  goTo(withRoom(placed(opened, key, beside, place), key), key);
}

/** Whether a process would have room as a group of its own there. */
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

/** All that is open from now on. */
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

/** Where the focus goes when this one closes: to the next tab, else to a neighbour. */
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

/** Too many tabs cost too much: the first that nobody sees gives way. Its process runs on. */
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
    // One that is alone has all the space; and a split that was just made is to be seen.
    const groups = groupsOf(layout).length;
    return { ...changed, isZoomed: isZoomed && groups > 1 && groups <= groupsOf(state.layout).length };
  });
  const { layout, focused, isZoomed } = layoutStore.getState();
  // A tab comes back as it was; a new one begins as the last one was left.
  for (const keeper of ['tab', 'browser'] as const) {
    writeStored(STORAGE_KEY, { layout, focused, isZoomed }, keeper);
  }
}

function restore(): LayoutState {
  const keeper = readText(STORAGE_KEY, 'tab') === null ? 'browser' : 'tab';
  return readStored(STORAGE_KEY, parseState, keeper);
}

function parseState(kept: unknown): LayoutState {
  const read = (kept ?? {}) as { readonly [member in keyof LayoutState]?: unknown };
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
