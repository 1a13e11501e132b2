// Parts of the list: processes that need attention at the top, and all others below in groups.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { homeOf, type Homes } from './group-homes.ts';
import { groupProcesses, heldStill, type Needing, type Part, type ProcessGroup } from './process-groups.ts';
import { inHeldOrder, inOrder, LEADING_FAILURES } from './process-order.ts';
import { neededCounts } from './process-counts.ts';
import { isLive } from '../../../text/process-words.ts';
import { isUnseenFailure, type Seen } from './seen.ts';

/** Number of a group's newest finished processes that are not folded. */
export const OPEN_FINISHED = 5;

export interface Listing {
  readonly needing: Needing;
  readonly groups: readonly ProcessGroup[];
  /** Keys of all live processes. */
  readonly live: readonly string[];
  /** Part of the list that contains each process, by key. */
  readonly parts: ReadonlyMap<string, Part>;
}

interface Listed {
  readonly processes: readonly ProcessInfo[];
  /** Titles of the groups by id. */
  readonly agents: ReadonlyMap<string, string>;
  readonly homes: Homes;
  readonly seen: Seen;
  /**
   * True while the fold of further failures at the top is open; otherwise these failures are listed in their groups.
   */
  readonly isMoreOpen: boolean;
  /**
   * True while a filter is set: no finished process counts as older then, so that all results are visible.
   */
  readonly isFiltered: boolean;
  /** True while a card above the list names the newest failures, so that no failure is listed at the top. */
  readonly hasCard: boolean;
}

/** Returns the list. `held` is an earlier list whose rows keep their places, or null to sort everything. */
export function listingOf(
  { processes, agents, homes, seen, isMoreOpen, isFiltered, hasCard }: Listed,
  held: Listing | null = null,
): Listing {
  const ordered = inOrder(processes, seen, hasCard ? 0 : LEADING_FAILURES);
  const parts = new Map<string, Part>();
  const finished = new Map<string, number>();
  for (const [index, info] of ordered.processes.entries()) {
    if (index < ordered.needing) parts.set(info.key, 'needing');
    else if (isMoreOpen && ordered.moreFailed.has(info.key)) parts.set(info.key, 'moreFailed');
    else parts.set(info.key, partOfRest(info, homeOf(homes, info), finished, isFiltered));
  }
  if (held) for (const [key, part] of held.parts) if (parts.has(key)) parts.set(key, part);
  const partOf = (key: string): Part => parts.get(key) ?? 'running';
  const keysIn = (part: Part): string[] =>
    ordered.processes.flatMap(({ key }) => (partOf(key) === part ? [key] : []));
  const needing: Needing = {
    keys: keysIn('needing'),
    unfolded: keysIn('moreFailed'),
    // Count by part, not by the order, since held rows stay in their earlier part.
    moreFailed: processes.filter((info) => isUnseenFailure(info, seen) && partOf(info.key) !== 'needing')
      .length,
    ...neededCounts(ordered.processes, seen),
  };
  const groups = groupProcesses(ordered.processes, agents, partOf, homes);
  const live = ordered.processes.filter(isLive).map(({ key }) => key);
  if (!held) return { needing, groups, live, parts };
  const keys = inHeldOrder(held.needing.keys, needing.keys, (key) => key);
  const unfolded = inHeldOrder(held.needing.unfolded, needing.unfolded, (key) => key);
  return { needing: { ...needing, keys, unfolded }, groups: heldStill(held.groups, groups), live, parts };
}

/** Returns the part of a process; updates `finished`, the number of finished ones per group so far. */
function partOfRest(
  info: ProcessInfo,
  home: string,
  finished: Map<string, number>,
  isFiltered: boolean,
): Part {
  if (isLive(info)) return 'running';
  const before = finished.get(home) ?? 0;
  finished.set(home, before + 1);
  return isFiltered || before < OPEN_FINISHED ? 'finished' : 'older';
}
