// The list's parts: what needs a person above everything else, whoever started it, and below it the rest by groups.
import type { ProcessInfo } from '../../../protocol/console.ts';
import {
  groupIdOf,
  groupProcesses,
  heldStill,
  type Needing,
  type Part,
  type ProcessGroup,
} from './process-groups.ts';
import { inHeldOrder, inOrder, LEADING_FAILURES } from './process-order.ts';
import { neededCounts } from './process-counts.ts';
import { isLive } from '../../../text/process-words.ts';
import { isUnseenFailure, type Seen } from './seen.ts';

/** Of what a group has finished, so many of the newest stand open; the older are folded. */
export const OPEN_FINISHED = 5;

export interface Listing {
  readonly needing: Needing;
  readonly groups: readonly ProcessGroup[];
  /** Those that run, whoever started them. */
  readonly live: readonly string[];
  /** Where each stands. */
  readonly parts: ReadonlyMap<string, Part>;
}

interface Listed {
  readonly processes: readonly ProcessInfo[];
  /** What each group is called, by its id. */
  readonly agents: ReadonlyMap<string, string>;
  readonly seen: Seen;
  /** Whether the failures that do not stand above are unfolded there; else they stand in their groups. */
  readonly isMoreOpen: boolean;
  /** Who looks for something wants to see it: then nothing is folded. */
  readonly isFiltered: boolean;
  /** True while a card over the list names the newest failures. */
  readonly hasCard: boolean;
}

/** `held`: what was listed before and is to stay where it stands, whatever becomes of it; null: all in order. */
export function listingOf(
  { processes, agents, seen, isMoreOpen, isFiltered, hasCard }: Listed,
  held: Listing | null = null,
): Listing {
  const ordered = inOrder(processes, seen, hasCard ? 0 : LEADING_FAILURES);
  const parts = new Map<string, Part>();
  const finished = new Map<string, number>();
  for (const [index, info] of ordered.processes.entries()) {
    if (index < ordered.needing) parts.set(info.key, 'needing');
    else if (isMoreOpen && ordered.moreFailed.has(info.key)) parts.set(info.key, 'moreFailed');
    else parts.set(info.key, partOfRest(info, finished, isFiltered));
  }
  if (held) for (const [key, part] of held.parts) if (parts.has(key)) parts.set(key, part);
  const partOf = (key: string): Part => parts.get(key) ?? 'running';
  const keysIn = (part: Part): string[] =>
    ordered.processes.flatMap(({ key }) => (partOf(key) === part ? [key] : []));
  const needing: Needing = {
    keys: keysIn('needing'),
    unfolded: keysIn('moreFailed'),
    // Failures that are shown elsewhere now, whatever the order would be if nothing were held.
    moreFailed: processes.filter((info) => isUnseenFailure(info, seen) && partOf(info.key) !== 'needing')
      .length,
    ...neededCounts(ordered.processes, seen),
  };
  const groups = groupProcesses(ordered.processes, agents, partOf);
  const live = ordered.processes.filter(isLive).map(({ key }) => key);
  if (!held) return { needing, groups, live, parts };
  const keys = inHeldOrder(held.needing.keys, needing.keys, (key) => key);
  const unfolded = inHeldOrder(held.needing.unfolded, needing.unfolded, (key) => key);
  return { needing: { ...needing, keys, unfolded }, groups: heldStill(held.groups, groups), live, parts };
}

/** `finished`: how many of each group have been before; it is counted on. */
function partOfRest(info: ProcessInfo, finished: Map<string, number>, isFiltered: boolean): Part {
  if (isLive(info)) return 'running';
  const before = finished.get(groupIdOf(info)) ?? 0;
  finished.set(groupIdOf(info), before + 1);
  return isFiltered || before < OPEN_FINISHED ? 'finished' : 'older';
}
