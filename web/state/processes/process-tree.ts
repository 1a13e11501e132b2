// A tree of operating-system processes as rows: each below its parent, and indented.
import type { TreeProcess } from '../../../protocol/looks.ts';

export interface TreeRow {
  readonly process: TreeProcess;
  /** 0 for one whose parent is not listed. */
  readonly depth: number;
}

/** Deepest indentation: deeper processes stand below their parents all the same. */
const DEEPEST = 12;

/** Returns the rows of a list in which parents come before their children, as the gateway sends it. */
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
  // A stack of its own, since a chain of processes may be long; the next row is its last.
  const waiting = roots.toReversed().map((process): TreeRow => ({ process, depth: 0 }));
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    const depth = Math.min(DEEPEST, row.depth + 1);
    const below = children.get(row.process.pid) ?? [];
    waiting.push(...below.toReversed().map((process) => ({ process, depth })));
  }
  return rows;
}
