// Suggested words for the filter: all statuses, and the newest agents, folders, labels and threads.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { filterWord, threadOf, type Place } from './process-filter.ts';
import { clientNameOf } from './client-name.ts';
import type { KnownSession } from './process-groups.ts';

/** Maximum number of suggestions of each kind; nobody reads longer lists. */
const MOST_OF_EACH = 12;

interface Known {
  readonly processes: { readonly [key: string]: ProcessInfo };
  readonly sessions: { readonly [label: string]: KnownSession };
}

export const STATUSES = [
  'waiting',
  'failed',
  'running',
  'succeeded',
  'stopped',
  'terminating',
  'lost',
  'left',
] as const;

export function filterSuggestions({ processes, sessions }: Known): string[] {
  const infos = Object.values(processes).toSorted((a, b) => b.startedAtMs - a.startedAtMs);
  const words = (place: Place, valueOf: (info: ProcessInfo) => string | null): string[] => {
    const found = new Set<string>();
    for (const info of infos) {
      const value = valueOf(info);
      if (value) found.add(filterWord(place, value));
      if (found.size >= MOST_OF_EACH) break;
    }
    return [...found];
  };
  return [
    ...STATUSES.map((status) => filterWord('status', status)),
    ...words('agent', (info) => clientNameOf(info, sessions) ?? info.startedBy),
    ...words('folder', ({ cwd }) => cwd),
    ...words('label', ({ label }) => label),
    ...words('thread', threadOf),
  ];
}
