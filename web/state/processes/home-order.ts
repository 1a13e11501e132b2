// Sort order of the table of all processes, by any of its columns.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { commandLine } from '../../../text/command-line.ts';
import { elapsedMs } from '../../../text/process-words.ts';
import { lateCpu } from './busiest.ts';
import type { Used } from './usage-feed.ts';

/** `status`: processes that need attention first, as in the list. */
export const HOME_COLUMNS = ['command', 'status', 'agent', 'cpu', 'memory', 'age', 'folder', 'line'] as const;
export type HomeColumn = (typeof HOME_COLUMNS)[number];

/**
 * Columns of amounts and times, which the first click sorts largest first; `line` is sorted by the time of
 * the newest output.
 */
const LARGEST_FIRST: readonly HomeColumn[] = ['cpu', 'memory', 'age', 'line'];

export interface HomeSort {
  readonly by: HomeColumn;
  readonly isReversed: boolean;
}

interface Known {
  readonly usedOf: (key: string) => Used | undefined;
  readonly agentOf: (info: ProcessInfo) => string;
  readonly nowMs: number;
}

/**
 * Returns the sort order after a click on a column header: by that column or, if the table is sorted by it already,
 * in the opposite direction.
 */
export const sortedBy = (column: HomeColumn, { by, isReversed }: HomeSort): HomeSort => ({
  by: column,
  isReversed: column === by && !isReversed,
});

/** Returns the direction of a sort order, for the arrow in the column header and `aria-sort`. */
export const directionOf = ({ by, isReversed }: HomeSort): 'ascending' | 'descending' =>
  LARGEST_FIRST.includes(by) === isReversed ? 'ascending' : 'descending';

/**
 * Sorts `processes`, which are given in order of attention; ties keep that order, and those without a value come last.
 */
export function homeOrder(
  processes: readonly ProcessInfo[],
  { by, isReversed }: HomeSort,
  known: Known,
): readonly ProcessInfo[] {
  if (by === 'status') return isReversed ? processes.toReversed() : processes;
  const sign = LARGEST_FIRST.includes(by) === isReversed ? 1 : -1;
  const valued = processes.map((info) => ({ info, value: valueOf(info, by, known) }));
  return valued
    .toSorted((one, other) => {
      if (one.value === null || other.value === null)
        return Number(one.value === null) - Number(other.value === null);
      return sign * compare(one.value, other.value);
    })
    .map(({ info }) => info);
}

function valueOf(
  info: ProcessInfo,
  by: Exclude<HomeColumn, 'status'>,
  { usedOf, agentOf, nowMs }: Known,
): number | string | null {
  switch (by) {
    case 'command':
      return info.label ?? commandLine(info.argv);
    case 'agent':
      return agentOf(info);
    case 'cpu':
      return lateCpu(usedOf(info.key));
    case 'memory':
      return usedOf(info.key)?.samples.at(-1)?.memoryBytes ?? null;
    case 'age':
      return elapsedMs(info, nowMs);
    case 'folder':
      return info.cwd;
    case 'line':
      return info.lastOutputAtMs;
  }
}

const COLLATOR = new Intl.Collator('en', { numeric: true });
const compare = (one: number | string, other: number | string): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : COLLATOR.compare(String(one), String(other));
