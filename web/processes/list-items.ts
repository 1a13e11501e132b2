// The list as one column of rows: groups, their threads and their processes, each of a height that is known before it is drawn.
import type { ProcessGroup } from './process-groups.ts';

interface Item {
  readonly id: string;
  readonly level: number;
}

export type ListItem =
  | (Item & { readonly kind: 'group'; readonly group: ProcessGroup; readonly isCollapsed: boolean })
  | (Item & { readonly kind: 'thread'; readonly thread: string })
  | (Item & { readonly kind: 'process'; readonly key: string });

/** In CSS pixels. Known, and the same for all of a kind, so that nothing moves when what a row says changes. */
export const ROW_HEIGHT: { readonly [kind in ListItem['kind']]: number } = {
  group: 36,
  thread: 26,
  process: 50,
};

export function listItems(groups: readonly ProcessGroup[], collapsed: readonly string[]): ListItem[] {
  return groups.flatMap((group): ListItem[] => {
    const isCollapsed = collapsed.includes(group.id);
    const title: ListItem = { kind: 'group', id: `group ${group.id}`, level: 1, group, isCollapsed };
    return isCollapsed ? [title] : [title, ...itemsOf(group)];
  });
}

function itemsOf({ id, threads }: ProcessGroup): ListItem[] {
  return threads.flatMap(({ thread, keys }): ListItem[] => {
    const title: ListItem[] =
      thread === null ? [] : [{ kind: 'thread', id: `thread ${id} ${thread}`, level: 2, thread }];
    const level = thread === null ? 2 : 3;
    return [...title, ...processItems(keys, level)];
  });
}

/** Without groups, when the order is across all of them. */
export function processItems(keys: readonly string[], level = 1): ListItem[] {
  return keys.map((key) => ({ kind: 'process', id: key, level, key }));
}

/** For each row, where the title of its group stands; null where there is none. */
export function titlesOf(items: readonly ListItem[]): (number | null)[] {
  let title: number | null = null;
  return items.map(({ kind }, index) => {
    if (kind === 'group') title = index;
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
