// Rows of a tree of OS processes.
import { expect, it } from 'vitest';
import type { TreeProcess } from '../../../protocol/looks.ts';
import { treeRows } from './process-tree.ts';

const process = (pid: number, parent: number): TreeProcess => ({
  pid,
  parent,
  name: `p${pid}`,
  cpu: 0,
  memoryBytes: 1,
});
const shown = (tree: readonly TreeProcess[]): string[] =>
  treeRows(tree).map(({ process: { pid }, depth }) => `${'-'.repeat(depth)}${pid}`);

it('a tree has each process below its parent, in the order of the list', () => {
  const tree = [process(1, 0), process(9, 0), process(2, 1), process(3, 1), process(4, 2), process(5, 9)];
  expect(shown(tree)).toEqual(['1', '-2', '--4', '-3', '9', '-5']);
});

it('a tree shows a process at the first level when its parent is missing, later in the list, or the process itself', () => {
  expect(shown([process(2, 1), process(3, 3), process(1, 0)])).toEqual(['2', '3', '1']);
});

it('a tree of a chain of 5000 processes contains all of them, indented up to a limit', () => {
  const rows = treeRows(Array.from({ length: 5000 }, (_, index) => process(index + 1, index)));
  expect(rows).toHaveLength(5000);
  expect(rows.at(-1)).toMatchObject({ process: { pid: 5000 }, depth: 12 });
});
