// Looks up open processes of earlier gateway runs in the history, after a reload, a followed link or a restart of
// the gateway: the list does not have them, or has them only as lost.
import { createStore } from 'zustand/vanilla';
import type { ExecClient } from '../../../client/exec-client.ts';
import { refusalSentence } from '../page/refusal.ts';
import { isRecorded } from '../processes/recorded.ts';
import { processStore } from '../processes/process-store.ts';
import { layoutStore } from './layout-store.ts';
import { keysOf } from './layout-tree.ts';

/** Keys of open processes whose lookup in the history failed or found nothing, with the reason as a sentence. */
export const unknownKeys = createStore<{ readonly keys: ReadonlyMap<string, string> }>(() => ({
  keys: new Map(),
}));

const MISSING = 'This process no longer exists.';

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
            isUnknown(key, `${refusalSentence(error)}.`);
          else asked.delete(key);
        },
      );
    }
  };
  processStore.subscribe(look);
  layoutStore.subscribe(look);
  look();
}

const isUnknown = (key: string, reason: string): void =>
  unknownKeys.setState(({ keys }) => ({ keys: new Map([...keys, [key, reason]]) }));
