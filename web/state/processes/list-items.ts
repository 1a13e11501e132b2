// The list as one column of rows: groups, threads and processes, each with a height known before it is drawn.
import type { Listing } from './listing.ts';
import type { Needing, ProcessGroup, ThreadOfProcesses } from './process-groups.ts';

interface Item {
  readonly id: string;
  readonly level: number;
}

/** A row that can fold the rows below it; `id` identifies the fold. */
interface Fold extends Item {
  readonly isCollapsed: boolean;
}

export type ListItem =
  | (Fold & { readonly kind: 'needing'; readonly needing: Needing })
  | (Fold & { readonly kind: 'moreFailed'; readonly count: number; readonly isAll: boolean })
  | (Fold & { readonly kind: 'group'; readonly group: ProcessGroup })
  | (Fold & { readonly kind: 'older'; readonly count: number })
  /** `thread` is null for the heading above processes without a thread. */
  | (Item & {
      readonly kind: 'thread';
      readonly thread: string | null;
      readonly parent: string | null;
      readonly keys: readonly string[];
    })
  | (Item & { readonly kind: 'process'; readonly key: string; readonly namesAgent: boolean });

/** Heights in CSS px, fixed for each kind, so that nothing moves when the content of a row changes. */
export const ROW_HEIGHT: { readonly [kind in ListItem['kind']]: number } = {
  needing: 36,
  moreFailed: 30,
  group: 36,
  older: 30,
  thread: 26,
  process: 50,
};

/** Id of the fold for failures beyond those at the top of the list. */
export const MORE_FAILED = 'more failed';

/**
 * Returns the rows. `turned` lists folds that differ from their initial state; older processes and further failures
 * are initially folded, and everything else is open.
 */
export function listItems({ needing, groups }: Listing, turned: readonly string[]): ListItem[] {
  return [...needingItems(needing, turned), ...groups.flatMap((group) => groupItems(group, turned))];
}

function needingItems(needing: Needing, turned: readonly string[]): ListItem[] {
  const { keys, unfolded, moreFailed } = needing;
  if (keys.length === 0 && moreFailed === 0) return [];
  const isCollapsed = turned.includes('needing');
  const title: ListItem = { kind: 'needing', id: 'needing', level: 1, needing, isCollapsed };
  if (isCollapsed) return [title];
  const more: ListItem = {
    kind: 'moreFailed',
    id: MORE_FAILED,
    level: 2,
    count: moreFailed,
    isAll: moreFailed === needing.failed,
    isCollapsed: !turned.includes(MORE_FAILED),
  };
  const rest = moreFailed > 0 ? [more] : [];
  return [title, ...processItems(keys, 2, true), ...rest, ...processItems(unfolded, 2, true)];
}

function groupItems(group: ProcessGroup, turned: readonly string[]): ListItem[] {
  const { running, finished, older } = group.rows;
  const id = `group ${group.id}`;
  const isCollapsed = turned.includes(id);
  const title: ListItem = { kind: 'group', id, level: 1, group, isCollapsed };
  if (isCollapsed) return [title];
  // Each thread has one heading, with all of its rows below it.
  const depths = depthsOf([...running, ...finished]);
  const open = new Set(depths.keys());
  const rest = older.filter(({ thread }) => !open.has(thread));
  const restDepths = depthsOf(rest);
  const [first] = [...open, ...rest.map(({ thread }) => thread)];
  // Processes without a thread need no further heading directly below that of their group.
  const isTitled = (thread: string | null): boolean => thread !== null || first !== null;
  const depthOf = (thread: string | null): number => depths.get(thread) ?? restDepths.get(thread) ?? 0;
  const titleOf = (thread: string | null): ListItem[] =>
    isTitled(thread) ? [threadTitle(group, thread, depthOf(thread))] : [];
  const levelOf = (thread: string | null): number => (isTitled(thread) ? 3 + depthOf(thread) : 2);
  return [
    title,
    ...[...open].flatMap((thread) => [
      ...titleOf(thread),
      ...processItems(keysOf(running, thread), levelOf(thread)),
      ...processItems(keysOf(finished, thread), levelOf(thread)),
      ...olderItems(`older ${group.id} ${thread ?? ''}`, keysOf(older, thread), turned, (keys) =>
        processItems(keys, levelOf(thread)),
      ),
    ]),
    ...olderItems(
      `older ${group.id}`,
      rest.flatMap(({ keys }) => keys),
      turned,
      () =>
        [...restDepths.keys()].flatMap((thread) => [
          ...titleOf(thread),
          ...processItems(keysOf(rest, thread), levelOf(thread)),
        ]),
    ),
  ];
}

/** Returns the fold of older processes and, once unfolded, their rows; nothing when there are no such processes. */
function olderItems(
  id: string,
  keys: readonly string[],
  turned: readonly string[],
  itemsOf: (keys: readonly string[]) => ListItem[],
): ListItem[] {
  if (keys.length === 0) return [];
  const isCollapsed = !turned.includes(id);
  const fold: ListItem = { kind: 'older', id, level: 2, count: keys.length, isCollapsed };
  return [fold, ...(isCollapsed ? [] : itemsOf(keys))];
}

/** Deepest level of sub-agents with its own indentation; deeper ones are shown at this level. */
const DEEPEST = 2;

/**
 * Returns the depth of each thread; sub-agents' threads follow the thread that started them, others keep their order.
 */
function depthsOf(threads: readonly ThreadOfProcesses[]): ReadonlyMap<string | null, number> {
  const listed = new Set(threads.map(({ thread }) => thread));
  const depths = new Map<string | null, number>();
  const add = (thread: string | null, depth: number): void => {
    if (depths.has(thread)) return;
    depths.set(thread, Math.min(depth, DEEPEST));
    if (thread === null) return;
    for (const each of threads) if (each.parent === thread) add(each.thread, depth + 1);
  };
  const isBelow = ({ parent }: ThreadOfProcesses): boolean => parent !== null && listed.has(parent);
  for (const each of threads) if (!isBelow(each)) add(each.thread, 0);
  // Threads that name each other as parents have not been added yet; the first of them is added at the top level.
  for (const { thread } of threads) add(thread, 0);
  return depths;
}

const threadTitle = ({ id, threads }: ProcessGroup, thread: string | null, depth: number): ListItem => ({
  kind: 'thread',
  id: `thread ${id} ${thread ?? ''}`,
  level: 2 + depth,
  thread,
  parent: depth === 0 ? null : (threads.find((each) => each.thread === thread)?.parent ?? null),
  keys: keysOf(threads, thread),
});

const keysOf = (threads: readonly ThreadOfProcesses[], thread: string | null): readonly string[] =>
  threads.find((each) => each.thread === thread)?.keys ?? [];

/** Returns one row per process; rows outside groups name their agent. */
export function processItems(keys: readonly string[], level = 1, namesAgent = level === 1): ListItem[] {
  return keys.map((key) => ({ kind: 'process', id: key, level, key, namesAgent }));
}

/**
 * Returns, for each row, the index of the heading of its group or of the processes that need attention; null
 * where there is none.
 */
export function titlesOf(items: readonly ListItem[]): (number | null)[] {
  let title: number | null = null;
  return items.map(({ kind }, index) => {
    if (kind === 'group' || kind === 'needing') title = index;
    return title;
  });
}

/** Returns the total height in px of the rows above the row with this id; null when there is no such row. */
export function startOf(items: readonly ListItem[], id: string | undefined): number | null {
  let start = 0;
  for (const item of items) {
    if (item.id === id) return start;
    start += ROW_HEIGHT[item.kind];
  }
  return null;
}
