// Sessions that belong together: an agent may open one per command or per sub-agent.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { parentThreadOf, threadOf } from './process-filter.ts';

/** Id of the group of each session. */
export type Homes = ReadonlyMap<string, string>;

export const groupIdOf = ({ session, startedBy }: Pick<ProcessInfo, 'session' | 'startedBy'>): string =>
  session === 'console' ? `console ${startedBy}` : session;

/** Returns the id of the process's group; a session without an entry, and each person, is a group of its own. */
export const homeOf = (homes: Homes, info: Pick<ProcessInfo, 'session' | 'startedBy'>): string =>
  homes.get(groupIdOf(info)) ?? groupIdOf(info);

/**
 * Returns the group of each session of an agent. Sessions of one agent form a group when they run the same thread, or
 * a thread and the one that started it. The group's id is the session of its oldest process, so that newer sessions
 * that join the group do not change the id.
 */
export function homesOf(processes: readonly ProcessInfo[]): Homes {
  const above = new Map<string, string>();
  const topOf = (id: string): string => {
    let top = id;
    for (let next = above.get(top); next !== undefined; next = above.get(top)) top = next;
    return top;
  };
  const byAge = processes.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  /** Sessions, numbered by the age of their oldest process; 0 is the oldest. */
  const ages = new Map<string, number>();
  /** First session that contains a thread or names it as a parent, by agent and thread. */
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
