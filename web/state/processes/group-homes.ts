// Sessions that belong together: an agent may have one for each of its commands, or for each of its sub-agents.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { parentThreadOf, threadOf } from './process-filter.ts';

/** Id of the group that each session is listed in. */
export type Homes = ReadonlyMap<string, string>;

export const groupIdOf = ({ session, startedBy }: Pick<ProcessInfo, 'session' | 'startedBy'>): string =>
  session === 'console' ? `console ${startedBy}` : session;

/** Sessions without an entry are groups of their own. */
export const homeOf = (homes: Homes, info: Pick<ProcessInfo, 'session' | 'startedBy'>): string =>
  homes.get(groupIdOf(info)) ?? groupIdOf(info);

/**
 * Returns the group of each session. Sessions of one agent in which the same thread, or a thread and the one that started
 * it, have processes are one group; its id is the session of its oldest process, so that later ones do not change it.
 */
export function homesOf(processes: readonly ProcessInfo[]): Homes {
  const above = new Map<string, string>();
  const topOf = (id: string): string => {
    let top = id;
    for (let next = above.get(top); next !== undefined; next = above.get(top)) top = next;
    return top;
  };
  const byAge = processes.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  /** Sessions by the age of their oldest process. */
  const ages = new Map<string, number>();
  /** First session that has each thread of an agent, or has named it as the parent of one. */
  const sessionOf = new Map<string, string>();
  for (const info of byAge) {
    if (info.session === 'console') continue;
    const { session } = info;
    if (!ages.has(session)) ages.set(session, ages.size);
    for (const thread of [threadOf(info), parentThreadOf(info)]) {
      if (thread === null) continue;
      const id = `${info.startedBy}\n${thread}`;
      const there = sessionOf.get(id) ?? session;
      sessionOf.set(id, there);
      const tops = [topOf(there), topOf(session)].toSorted((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0));
      const [older = session, newer = session] = tops;
      if (older !== newer) above.set(newer, older);
    }
  }
  return new Map([...ages.keys()].map((session) => [session, topOf(session)]));
}
