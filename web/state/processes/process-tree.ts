// A tree of OS processes as rows: each below its parent and indented.
import type { TreeProcess } from '../../../protocol/looks.ts';

export interface TreeRow {
  readonly process: TreeProcess;
  /** Depth in the tree, limited to `DEEPEST`; 0 when the parent is not listed. */
  readonly depth: number;
}

/** Maximum indentation; deeper processes are still below their parents. */
const DEEPEST = 12;

/** Returns the rows of `tree`, in which the gateway lists parents before their children. */
export function treeRows(tree: readonly TreeProcess[]): readonly TreeRow[] {
  const children = new Map<number, TreeProcess[]>();
  const before = new Set<number>();
  const roots: TreeProcess[] = [];
  for (const each of tree) {
    if (before.has(each.parent)) children.set(each.parent, [...(children.get(each.parent) ?? []), each]);
    else roots.push(each);
    before.add(each.pid);
  }
  const rows: TreeRow[] = [];
  // An explicit stack avoids deep recursion on long chains; the next row is its last element.
  const waiting = roots.toReversed().map((process): TreeRow => ({ process, depth: 0 }));
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    const depth = Math.min(DEEPEST, row.depth + 1);
    const below = children.get(row.process.pid) ?? [];
    waiting.push(...below.toReversed().map((process) => ({ process, depth })));
  }
  return rows;
}
