// Looks up open processes of earlier gateway runs in the history, after a reload, a followed link or a restart of
// the gateway: the list does not have them, or has them only as lost. Forgets those whose recording was removed.
import { createStore } from 'zustand/vanilla';
import type { ExecClient } from '../../../client/exec-client.ts';
import { refusalSentence } from '../page/refusal.ts';
import { isRecorded } from '../processes/recorded.ts';
import { processStore } from '../processes/process-store.ts';
import { layoutStore } from './layout-store.ts';
import { keysOf } from './layout-tree.ts';

/** Reason why a process cannot be opened: a sentence, or who removed its recording. */
type WhyUnknown = { readonly reason: string } | { readonly removedBy: string };

/** Open processes whose lookup in the history failed or found nothing, or whose recording was removed, by key. */
export const unknownKeys = createStore<{ readonly keys: ReadonlyMap<string, WhyUnknown> }>(() => ({
  keys: new Map(),
}));

const MISSING: WhyUnknown = { reason: 'This process no longer exists.' };

/** Looks up, once, each open process without a terminal that the list lacks or has as lost. Never unsubscribes. */
export function knowPast(client: ExecClient): void {
  const asked = new Set<string>();
  const look = (): void => {
    const { isListed, connection, processes, terminals } = processStore.getState();
    if (!isListed || connection.kind !== 'online') return;
    for (const key of keysOf(layoutStore.getState().layout)) {
      const info = processes[key];
      if (asked.has(key) || terminals[key] || (info && (info.state !== 'lost' || isRecorded(info)))) continue;
      asked.add(key);
      client.connection.request('console/history', { key }).then(
        ({ processes: [entry] }) => (entry ? client.processes.remember(entry) : isUnknown(key, MISSING)),
        (error: unknown) => {
          // A request lost with its connection is sent again on the next one.
          if (processStore.getState().connection.kind === 'online')
            isUnknown(key, { reason: `${refusalSentence(error)}.` });
          else asked.delete(key);
        },
      );
    }
  };
  processStore.subscribe(look);
  layoutStore.subscribe(look);
  look();
  followRemovals(client);
}

/** Notices removed recordings of open processes, also those that were removed while this page was offline. */
function followRemovals(client: ExecClient): void {
  const lookAgain = (): void => {
    const { processes } = processStore.getState();
    for (const key of keysOf(layoutStore.getState().layout)) {
      const info = processes[key];
      if (!info || !isRecorded(info)) continue;
      client.connection.request('console/history', { key }).then(
        ({ processes: [entry] }) => {
          if (!entry) client.processes.forget(key);
        },
        () => undefined,
      );
    }
  };
  client.processes.onChanged(({ recordingsRemoved }) => {
    if (!recordingsRemoved) return;
    const open = new Set(keysOf(layoutStore.getState().layout));
    for (const { key, who } of recordingsRemoved.recordings)
      if (open.has(key)) isUnknown(key, { removedBy: who });
    if (!recordingsRemoved.isComplete) lookAgain();
  });
  client.connection.onState(({ kind }) => {
    if (kind === 'online') lookAgain();
  });
}

/** Stores a reason; a failed lookup does not replace a removal. */
const isUnknown = (key: string, why: WhyUnknown): void =>
  unknownKeys.setState(({ keys }) => {
    const known = keys.get(key);
    return {
      keys: new Map([...keys, [key, known && 'removedBy' in known && !('removedBy' in why) ? known : why]]),
    };
  });
