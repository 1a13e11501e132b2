// Tree of tab groups: a binary tree that splits the space, modified by pure functions. A process has at most one tab.
import { isProcessKey } from '../../../protocol/process-key.ts';

/** Direction of a split; `row`: side by side; `column`: stacked. */
export type Direction = 'row' | 'column';

/** A group of tabs, one of which is visible. */
export interface Group {
  readonly kind: 'group';
  /** Processes in tab order; never empty. */
  readonly keys: readonly string[];
  readonly shown: string;
}

export interface Split {
  readonly kind: 'split';
  readonly direction: Direction;
  /** Fraction of the space for the first child, from 0 to 1. */
  readonly share: number;
  readonly first: Layout;
  readonly second: Layout;
}

export type Layout = Group | Split;

export type Side = 'left' | 'right' | 'above' | 'below';

/** Target in a group: a tab index, or a side for a new group there. */
export type Place = number | Side;

/** Path from the root to a node: the child taken at each split. */
export type Path = readonly ('first' | 'second')[];

/** Maximum number of open tabs, since each has a terminal and more would be hard to navigate. */
export const MOST_TABS = 100;

const SMALLEST_SHARE = 0.05;

export const group = (keys: readonly [string, ...string[]], shown: string = keys[0]): Group => ({
  kind: 'group',
  keys,
  shown,
});

export function groupsOf(layout: Layout | null): Group[] {
  if (!layout) return [];
  return layout.kind === 'group' ? [layout] : [...groupsOf(layout.first), ...groupsOf(layout.second)];
}

export const keysOf = (layout: Layout | null): string[] => groupsOf(layout).flatMap(({ keys }) => keys);

export const groupWith = (layout: Layout | null, key: string | null): Group | null =>
  groupsOf(layout).find(({ keys }) => keys.some((each) => each === key)) ?? null;

/** Shows a process in its tab, or in a new tab after that of `beside`, or at the end of the first group. */
export function openTab(layout: Layout | null, key: string, beside: string | null): Layout {
  if (!layout) return group([key]);
  if (groupWith(layout, key)) return showTab(layout, key);
  const target = groupWith(layout, beside) ?? groupsOf(layout)[0];
  const anchor = target?.keys[0];
  if (!target || anchor === undefined) return group([key]);
  const at = beside === null ? target.keys.length : target.keys.indexOf(beside) + 1;
  return placePane(layout, key, anchor, at === 0 ? target.keys.length : at);
}

export const showTab = (layout: Layout, key: string): Layout =>
  inGroupWith(layout, key, (target) => (target.shown === key ? target : { ...target, shown: key })) ?? layout;

/**
 * Removes a tab. If it was visible, the next tab becomes visible, or the previous one if there is no next;
 * the neighbour of an emptied group takes its space. Returns null when no tab is left.
 */
export function removePane(layout: Layout | null, key: string): Layout | null {
  return layout && inGroupWith(layout, key, (target) => without(target, key));
}

/**
 * Moves or adds a process to the group of `beside`, or to a new group beside it; a process alone in that
 * group stays where it is.
 */
export function placePane(layout: Layout, key: string, beside: string, place: Place): Layout {
  const target = groupWith(layout, beside);
  const anchor = target?.keys.find((each) => each !== key);
  if (!target || anchor === undefined) return layout;
  const before = target.keys.indexOf(key);
  const rest = removePane(layout, key);
  const placed =
    rest &&
    inGroupWith(rest, anchor, (there) => {
      if (typeof place !== 'number') return split(there, group([key]), place);
      const at = before >= 0 && before < place ? place - 1 : place;
      return { kind: 'group', keys: there.keys.toSpliced(at, 0, key), shown: key };
    });
  return placed ?? layout;
}

export function setShare(layout: Layout, path: Path, share: number): Layout {
  if (layout.kind === 'group') return layout;
  const [step, ...rest] = path;
  if (step === undefined) {
    return { ...layout, share: Math.min(1 - SMALLEST_SHARE, Math.max(SMALLEST_SHARE, share)) };
  }
  return { ...layout, [step]: setShare(layout[step], rest, share) };
}

/**
 * Returns the layout with only the processes in `keys`, each key replaced by its value; null when none is
 * left.
 */
export function mapKeys(layout: Layout | null, keys: ReadonlyMap<string, string>): Layout | null {
  let mapped: Layout | null = layout;
  for (const key of keysOf(layout)) if (!keys.has(key)) mapped = removePane(mapped, key);
  return mapped && renamed(mapped, keys);
}

/**
 * Parses a stored layout. Returns null when it is malformed, has too many tabs, or contains an invalid key or
 * a process twice.
 */
export function parseLayout(value: unknown): Layout | null {
  const layout = parseNode(value, 0);
  const keys = keysOf(layout);
  const isRight = keys.length <= MOST_TABS && new Set(keys).size === keys.length && keys.every(isProcessKey);
  return isRight ? layout : null;
}

const DEEPEST = 64;

function parseNode(value: unknown, depth: number): Layout | null {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return null;
  const node = value as Record<string, unknown>;
  // Format from before tabs existed.
  if (node['kind'] === 'pane') return typeof node['key'] === 'string' ? group([node['key']]) : null;
  if (node['kind'] === 'group') return parseGroup(node['keys'], node['shown']);
  const { direction, share } = node;
  const first = parseNode(node['first'], depth + 1);
  const second = parseNode(node['second'], depth + 1);
  if ((direction !== 'row' && direction !== 'column') || typeof share !== 'number' || !first || !second)
    return null;
  return setShare({ kind: 'split', direction, share: 0.5, first, second }, [], share);
}

function parseGroup(keys: unknown, shown: unknown): Group | null {
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string')) return null;
  const [first, ...rest] = keys;
  return first === undefined ? null : group([first, ...rest], keys.find((key) => key === shown) ?? first);
}

/** Returns the tree after replacing or removing the group that contains the key; null when no group is left. */
function inGroupWith(layout: Layout, key: string, change: (target: Group) => Layout | null): Layout | null {
  if (layout.kind === 'group') return layout.keys.includes(key) ? change(layout) : layout;
  const first = inGroupWith(layout.first, key, change);
  const second = inGroupWith(layout.second, key, change);
  if (!first || !second) return first ?? second;
  return first === layout.first && second === layout.second ? layout : { ...layout, first, second };
}

function without(target: Group, key: string): Group | null {
  const at = target.keys.indexOf(key);
  const [first, ...rest] = target.keys.filter((each) => each !== key);
  if (first === undefined) return null;
  const next = target.keys[at + 1] ?? target.keys[at - 1] ?? first;
  return group([first, ...rest], target.shown === key ? next : target.shown);
}

function split(target: Layout, added: Layout, side: Side): Split {
  const isFirst = side === 'left' || side === 'above';
  return {
    kind: 'split',
    direction: side === 'left' || side === 'right' ? 'row' : 'column',
    share: 0.5,
    first: isFirst ? added : target,
    second: isFirst ? target : added,
  };
}

function renamed(layout: Layout, names: ReadonlyMap<string, string>): Layout {
  if (layout.kind === 'split') {
    return { ...layout, first: renamed(layout.first, names), second: renamed(layout.second, names) };
  }
  const name = (key: string): string => names.get(key) ?? key;
  return { ...layout, keys: layout.keys.map(name), shown: name(layout.shown) };
}
