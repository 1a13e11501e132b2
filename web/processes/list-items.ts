// The list as one column of rows: groups, their threads and their processes, each of a height that is known before it is drawn.
import type { Listing } from './listing.ts';
import type { Needing, ProcessGroup, ThreadOfProcesses } from './process-groups.ts';

interface Item {
  readonly id: string;
  readonly level: number;
}

/** What lies below it is there or folded; `id` is what it is turned by. */
interface Fold extends Item {
  readonly isCollapsed: boolean;
}

export type ListItem =
  | (Fold & { readonly kind: 'needing'; readonly needing: Needing })
  | (Item & { readonly kind: 'moreFailed'; readonly count: number })
  | (Fold & { readonly kind: 'group'; readonly group: ProcessGroup })
  | (Fold & { readonly kind: 'older'; readonly count: number })
  | (Item & { readonly kind: 'thread'; readonly thread: string; readonly keys: readonly string[] })
  | (Item & { readonly kind: 'process'; readonly key: string; readonly namesAgent: boolean });

/** In CSS pixels. Known, and the same for all of a kind, so that nothing moves when what a row says changes. */
export const ROW_HEIGHT: { readonly [kind in ListItem['kind']]: number } = {
  needing: 36,
  moreFailed: 30,
  group: 36,
  older: 30,
  thread: 26,
  process: 50,
};

/** `turned`: the folds that stand otherwise than they began; what is older begins folded, everything else open. */
export function listItems({ needing, groups }: Listing, turned: readonly string[]): ListItem[] {
  return [...needingItems(needing, turned), ...groups.flatMap((group) => groupItems(group, turned))];
}

function needingItems(needing: Needing, turned: readonly string[]): ListItem[] {
  const { keys, moreFailed } = needing;
  if (keys.length === 0) return [];
  const isCollapsed = turned.includes('needing');
  const title: ListItem = { kind: 'needing', id: 'needing', level: 1, needing, isCollapsed };
  if (isCollapsed) return [title];
  const more: ListItem = { kind: 'moreFailed', id: 'more failed', level: 2, count: moreFailed };
  return [title, ...processItems(keys, 2, true), ...(moreFailed > 0 ? [more] : [])];
}

function groupItems(group: ProcessGroup, turned: readonly string[]): ListItem[] {
  const { rows } = group;
  const id = `group ${group.id}`;
  const isCollapsed = turned.includes(id);
  const title: ListItem = { kind: 'group', id, level: 1, group, isCollapsed };
  if (isCollapsed) return [title];
  const all = new Map(group.threads.map(({ thread, keys }) => [thread, keys]));
  // A thread that goes on needs no second title.
  const last = rows.running.at(-1)?.thread ?? null;
  const open = [
    ...threadItems(`${id} running`, rows.running, all),
    ...threadItems(`${id} finished`, rows.finished, all, last),
  ];
  const count = rows.older.reduce((sum, { keys }) => sum + keys.length, 0);
  if (count === 0) return [title, ...open];
  const folded = `older ${group.id}`;
  const isFolded = !turned.includes(folded);
  const fold: ListItem = { kind: 'older', id: folded, level: 2, count, isCollapsed: isFolded };
  return [title, ...open, fold, ...(isFolded ? [] : threadItems(folded, rows.older, all))];
}

/** `all`: of each thread everything, wherever it stands. `last`: the thread whose rows end just above. */
function threadItems(
  id: string,
  threads: readonly ThreadOfProcesses[],
  all: ReadonlyMap<string | null, readonly string[]>,
  last: string | null = null,
): ListItem[] {
  return threads.flatMap(({ thread, keys }, index): ListItem[] => {
    if (thread === null) return processItems(keys, 2);
    const title: ListItem = {
      kind: 'thread',
      id: `thread ${id} ${thread}`,
      level: 2,
      thread,
      keys: all.get(thread) ?? keys,
    };
    return [...(index === 0 && thread === last ? [] : [title]), ...processItems(keys, 3)];
  });
}

/** Without groups, when the order is across all of them. */
export function processItems(keys: readonly string[], level = 1, namesAgent = level === 1): ListItem[] {
  return keys.map((key) => ({ kind: 'process', id: key, level, key, namesAgent }));
}

/** For each row, where the title of its group stands; null where there is none. */
export function titlesOf(items: readonly ListItem[]): (number | null)[] {
  let title: number | null = null;
  return items.map(({ kind }, index) => {
    if (kind === 'group' || kind === 'needing') title = index;
    return title;
  });
}

/** The pixels above a row; null when it is not there. */
export function startOf(items: readonly ListItem[], id: string | undefined): number | null {
  let start = 0;
  for (const item of items) {
    if (item.id === id) return start;
    start += ROW_HEIGHT[item.kind];
  }
  return null;
}
