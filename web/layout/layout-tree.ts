// How panes divide the space: a binary tree, changed by pure functions. A pane shows one process, a process one pane.

/** `row`: side by side; `column`: one above the other. */
export type Direction = 'row' | 'column';

export type Layout =
  | { readonly kind: 'pane'; readonly key: string }
  | {
      readonly kind: 'split';
      readonly direction: Direction;
      /** The first one's share of the space, 0 to 1. */
      readonly share: number;
      readonly first: Layout;
      readonly second: Layout;
    };

export type Side = 'left' | 'right' | 'above' | 'below';

/** Way from the root to a node: which child is taken at each split. */
export type Path = readonly ('first' | 'second')[];

/** A part of the space, as fractions of it. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedPane {
  readonly key: string;
  readonly rect: Rect;
}

export interface PlacedDivider {
  readonly path: Path;
  readonly direction: Direction;
  readonly share: number;
  /** The space that it divides. */
  readonly rect: Rect;
}

export const SMALLEST_SHARE = 0.1;

const WHOLE: Rect = { left: 0, top: 0, width: 1, height: 1 };

export function keysOf(layout: Layout | null): string[] {
  if (!layout) return [];
  return layout.kind === 'pane' ? [layout.key] : [...keysOf(layout.first), ...keysOf(layout.second)];
}

export const pane = (key: string): Layout => ({ kind: 'pane', key });

/** Puts a new pane beside the one of `beside`; without that one, beside everything. A key that is there stays put. */
export function addPane(layout: Layout | null, key: string, beside: string | null, side: Side): Layout {
  if (!layout) return pane(key);
  if (keysOf(layout).includes(key)) return layout;
  const isThere = beside !== null && keysOf(layout).includes(beside);
  return isThere
    ? replace(layout, beside, (target) => split(target, pane(key), side))
    : split(layout, pane(key), side);
}

/** Its neighbour takes the space. */
export function removePane(layout: Layout | null, key: string): Layout | null {
  if (!layout) return null;
  if (layout.kind === 'pane') return layout.key === key ? null : layout;
  const first = removePane(layout.first, key);
  const second = removePane(layout.second, key);
  if (!first || !second) return first ?? second;
  return first === layout.first && second === layout.second ? layout : { ...layout, first, second };
}

/** Takes a pane out and puts it beside another one. */
export function movePane(layout: Layout, key: string, beside: string, side: Side): Layout {
  if (key === beside || !keysOf(layout).includes(beside)) return layout;
  const without = removePane(layout, key);
  return without ? addPane(without, key, beside, side) : layout;
}

export function setShare(layout: Layout, path: Path, share: number): Layout {
  if (layout.kind === 'pane') return layout;
  const [step, ...rest] = path;
  if (step === undefined) {
    return { ...layout, share: Math.min(1 - SMALLEST_SHARE, Math.max(SMALLEST_SHARE, share)) };
  }
  return { ...layout, [step]: setShare(layout[step], rest, share) };
}

/** Where every pane lies. */
export function placePanes(layout: Layout | null, rect = WHOLE): PlacedPane[] {
  if (!layout) return [];
  if (layout.kind === 'pane') return [{ key: layout.key, rect }];
  const [first, second] = divide(rect, layout);
  return [...placePanes(layout.first, first), ...placePanes(layout.second, second)];
}

/** Where every divider lies, and what it divides. */
export function placeDividers(layout: Layout | null, rect = WHOLE, path: Path = []): PlacedDivider[] {
  if (!layout || layout.kind === 'pane') return [];
  const [first, second] = divide(rect, layout);
  return [
    { path, direction: layout.direction, share: layout.share, rect },
    ...placeDividers(layout.first, first, [...path, 'first']),
    ...placeDividers(layout.second, second, [...path, 'second']),
  ];
}

/** The pane that lies on that side of another one, and touches it the most. */
export function neighbourOf(layout: Layout | null, key: string, side: Side): string | null {
  const places = placePanes(layout);
  const own = places.find((place) => place.key === key)?.rect;
  if (!own) return null;
  const touching = places
    .map((place) => ({ key: place.key, shared: sharedEdge(own, place.rect, side) }))
    .filter(({ shared }) => shared > TOUCH)
    .toSorted((a, b) => b.shared - a.shared);
  return touching[0]?.key ?? null;
}

/** Fractions are not exact. */
const TOUCH = 1e-6;

function sharedEdge(own: Rect, other: Rect, side: Side): number {
  const isBeside = side === 'left' || side === 'right';
  const [near, far] = side === 'left' || side === 'above' ? [other, own] : [own, other];
  const gap = isBeside ? far.left - (near.left + near.width) : far.top - (near.top + near.height);
  if (Math.abs(gap) > TOUCH) return 0;
  return isBeside
    ? Math.min(own.top + own.height, other.top + other.height) - Math.max(own.top, other.top)
    : Math.min(own.left + own.width, other.left + other.width) - Math.max(own.left, other.left);
}

/** Half a pane that is smaller than this shows too little. */
const SMALLEST_PANE = { width: 380, height: 200 };

/**
 * Beside which pane a new one is opened: the focused one, or when half of that is too small, the largest; on its right
 * when that leaves both wide enough, else below.
 */
export function roomFor(
  layout: Layout | null,
  focused: string | null,
  space: { readonly width: number; readonly height: number },
): { readonly beside: string | null; readonly side: Side } {
  const panes = placePanes(layout).map(({ key, rect }) => ({
    key,
    width: rect.width * space.width,
    height: rect.height * space.height,
  }));
  const fits = ({ width, height }: { width: number; height: number }): boolean =>
    width >= 2 * SMALLEST_PANE.width || height >= 2 * SMALLEST_PANE.height;
  const ofFocus = panes.find(({ key }) => key === focused);
  const [largest] = panes.toSorted((a, b) => b.width * b.height - a.width * a.height);
  const chosen = ofFocus && fits(ofFocus) ? ofFocus : largest;
  if (!chosen) return { beside: null, side: 'right' };
  const isWide = chosen.width >= 2 * SMALLEST_PANE.width && chosen.width >= chosen.height * 1.2;
  return { beside: chosen.key, side: isWide ? 'right' : 'below' };
}

/** Reads a layout that was kept somewhere: null for anything that is none, or that shows a process twice. */
export function parseLayout(value: unknown): Layout | null {
  const layout = parseNode(value, 0);
  const keys = keysOf(layout);
  return new Set(keys).size === keys.length ? layout : null;
}

const DEEPEST = 64;

function parseNode(value: unknown, depth: number): Layout | null {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return null;
  const node = value as Record<string, unknown>;
  if (node['kind'] === 'pane') return typeof node['key'] === 'string' ? pane(node['key']) : null;
  const { direction, share } = node;
  const first = parseNode(node['first'], depth + 1);
  const second = parseNode(node['second'], depth + 1);
  if ((direction !== 'row' && direction !== 'column') || typeof share !== 'number' || !first || !second)
    return null;
  return setShare({ kind: 'split', direction, share: 0.5, first, second }, [], share);
}

function divide(rect: Rect, { direction, share }: { direction: Direction; share: number }): [Rect, Rect] {
  const { left, top, width, height } = rect;
  return direction === 'row'
    ? [
        { ...rect, width: width * share },
        { ...rect, left: left + width * share, width: width * (1 - share) },
      ]
    : [
        { ...rect, height: height * share },
        { ...rect, top: top + height * share, height: height * (1 - share) },
      ];
}

function split(target: Layout, added: Layout, side: Side): Layout {
  const isFirst = side === 'left' || side === 'above';
  return {
    kind: 'split',
    direction: side === 'left' || side === 'right' ? 'row' : 'column',
    share: 0.5,
    first: isFirst ? added : target,
    second: isFirst ? target : added,
  };
}

function replace(layout: Layout, key: string, by: (target: Layout) => Layout): Layout {
  if (layout.kind === 'pane') return layout.key === key ? by(layout) : layout;
  return { ...layout, first: replace(layout.first, key, by), second: replace(layout.second, key, by) };
}
