// Names of agents' threads: the first command and its start time, since generated ids mean nothing to people.
import type { ProcessInfo } from '../../../protocol/console.ts';
import { threadOf, type Origin } from './process-filter.ts';
import type { KnownSession } from './process-groups.ts';
import { clockText } from '../../../text/amounts.ts';
import { clientNameOf } from './client-name.ts';
import { processTitle } from './process-title.ts';
import { cutTo } from '../../../text/cut.ts';

type Processes = { readonly [key: string]: ProcessInfo };

export interface ThreadName {
  /** Title of the thread's first process, truncated. */
  readonly words: string;
  /** Start time of that process, such as `21:47`. */
  readonly clock: string;
}

/** Maximum length of a name in characters, as many as fit in a heading. */
const LONGEST_WORDS = 40;

/** First process of each thread, computed once per change of the list. */
const firsts = new WeakMap<Processes, ReadonlyMap<string, ProcessInfo>>();

/**
 * Returns the name of a thread; null when none of its processes is known. Without `startedBy`, threads of all agents
 * that have this id count as one.
 */
export function threadName(processes: Processes, thread: string, startedBy = ''): ThreadName | null {
  const first = firstsOf(processes).get(idOf(startedBy, thread));
  if (!first) return null;
  return { words: cutTo(processTitle(first), LONGEST_WORDS), clock: clockText(first.startedAtMs) };
}

interface Known {
  readonly processes: Processes;
  readonly sessions: { readonly [label: string]: KnownSession };
}

/** Returns a function that looks up what the filter needs in addition to the process itself. */
export function originIn({ processes, sessions }: Known): (info: ProcessInfo) => Origin {
  return (info) => {
    const thread = threadOf(info);
    const first = thread === null ? undefined : firstsOf(processes).get(idOf(info.startedBy, thread));
    const session = sessions[info.session];
    const isOver = !session || session.isOver || session.detachedAtMs !== null;
    return {
      isLeft: info.session !== 'console' && isOver,
      clientName: clientNameOf(info, sessions) ?? '',
      threadTitle: first ? processTitle(first) : '',
    };
  };
}

/** True when the title of the process begins with the thread's name, as for the first process of a thread. */
export function isNamedAfter({ words }: Pick<ThreadName, 'words'>, info: ProcessInfo): boolean {
  return processTitle(info).startsWith(words.replace(/…$/, ''));
}

const idOf = (startedBy: string, thread: string): string => `${startedBy}\n${thread}`;

function firstsOf(processes: Processes): ReadonlyMap<string, ProcessInfo> {
  const known = firsts.get(processes);
  if (known) return known;
  const found = new Map<string, ProcessInfo>();
  for (const info of Object.values(processes)) {
    const thread = threadOf(info);
    if (thread === null) continue;
    for (const id of [idOf(info.startedBy, thread), idOf('', thread)]) {
      const there = found.get(id);
      if (!there || info.startedAtMs < there.startedAtMs) found.set(id, info);
    }
  }
  firsts.set(processes, found);
  return found;
}
