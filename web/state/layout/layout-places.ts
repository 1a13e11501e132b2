// Pixel positions of groups and dividers; every group has at least a readable size.
import type { Direction, Group, Layout, Path, Side, Split } from './layout-tree.ts';

export interface Space {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Space {
  readonly left: number;
  readonly top: number;
}

export interface PlacedGroup {
  readonly group: Group;
  readonly path: Path;
  readonly rect: Rect;
}

export interface PlacedDivider {
  readonly path: Path;
  readonly direction: Direction;
  /** Fraction of the space for the first child, and its bounds. */
  readonly share: number;
  readonly least: number;
  readonly most: number;
  /** Space that the divider splits. */
  readonly rect: Rect;
}

export interface Places {
  /** Size of the whole layout; if the space is too small, the layout is larger and scrolls. */
  readonly whole: Space;
  readonly groups: readonly PlacedGroup[];
  readonly dividers: readonly PlacedDivider[];
}

/**
 * Minimum group size: about 37 columns and 6 rows in the default font, besides tabs and header. Two groups
 * fit beside the list on a 1024 px page.
 */
export const SMALLEST_GROUP: Space = { width: 320, height: 200 };

/** Returns the smallest space in which every group has its minimum size. */
export function smallestSpace(layout: Layout | null): Space {
  if (!layout || layout.kind === 'group') return SMALLEST_GROUP;
  const [first, second] = [smallestSpace(layout.first), smallestSpace(layout.second)];
  return layout.direction === 'row'
    ? { width: first.width + second.width, height: Math.max(first.height, second.height) }
    : { width: Math.max(first.width, second.width), height: first.height + second.height };
}

/** Returns true when the layout fits without scrolling. */
export function fits(layout: Layout | null, space: Space): boolean {
  const { width, height } = smallestSpace(layout);
  return width <= space.width && height <= space.height;
}

export function placeLayout(layout: Layout | null, space: Space): Places {
  const smallest = smallestSpace(layout);
  const whole = {
    width: Math.max(space.width, smallest.width),
    height: Math.max(space.height, smallest.height),
  };
  const groups: PlacedGroup[] = [];
  const dividers: PlacedDivider[] = [];
  const place = (node: Layout, rect: Rect, path: Path): void => {
    if (node.kind === 'group') {
      groups.push({ group: node, path, rect });
      return;
    }
    const range = rangeOf(node, rect);
    const share = Math.min(range.most, Math.max(range.least, node.share));
    dividers.push({ path, direction: node.direction, share, ...range, rect });
    const [first, second] = divide(rect, node.direction, share);
    place(node.first, first, [...path, 'first']);
    place(node.second, second, [...path, 'second']);
  };
  if (layout) place(layout, { left: 0, top: 0, ...whole }, []);
  return { whole, groups, dividers };
}

/** Returns the group on that side of the key's group, or null; of several, the one with the longest shared edge. */
export function neighbourOf(layout: Layout | null, key: string | null, side: Side): Group | null {
  // Ample space permits every stored share, so the result depends only on the layout.
  const { width, height } = smallestSpace(layout);
  const { groups } = placeLayout(layout, { width: width * AMPLE, height: height * AMPLE });
  const own = groups.find(({ group }) => group.keys.some((each) => each === key))?.rect;
  if (!own) return null;
  const [nearest] = groups
    .map(({ group, rect }) => ({ group, shared: sharedEdge(own, rect, side) }))
    .filter(({ shared }) => shared > TOUCH)
    .toSorted((a, b) => b.shared - a.shared);
  return nearest?.group ?? null;
}

function rangeOf({ direction, first, second }: Split, rect: Rect): { least: number; most: number } {
  const length = direction === 'row' ? 'width' : 'height';
  return {
    least: smallestSpace(first)[length] / rect[length],
    most: 1 - smallestSpace(second)[length] / rect[length],
  };
}

function divide(rect: Rect, direction: Direction, share: number): [Rect, Rect] {
  const { left, top, width, height } = rect;
  if (direction === 'row') {
    const first = Math.round(width * share);
    return [
      { ...rect, width: first },
      { ...rect, left: left + first, width: width - first },
    ];
  }
  const first = Math.round(height * share);
  return [
    { ...rect, height: first },
    { ...rect, top: top + first, height: height - first },
  ];
}

const AMPLE = 20;
/** Tolerance in px for rounding of edge positions. */
const TOUCH = 2;

function sharedEdge(own: Rect, other: Rect, side: Side): number {
  const isBeside = side === 'left' || side === 'right';
  const [near, far] = side === 'left' || side === 'above' ? [other, own] : [own, other];
  const gap = isBeside ? far.left - (near.left + near.width) : far.top - (near.top + near.height);
  if (Math.abs(gap) > TOUCH) return 0;
  return isBeside
    ? Math.min(own.top + own.height, other.top + other.height) - Math.max(own.top, other.top)
    : Math.min(own.left + own.width, other.left + other.width) - Math.max(own.left, other.left);
}
