// Processes of earlier gateway runs that a link refers to: looked up by key once the list has arrived without them.
import type { ExecClient } from '../../../client/exec-client.ts';
import { processStore } from './process-store.ts';

export function knowPast(client: ExecClient, key: string): void {
  const look = (): void => {
    if (client.processes.get(key)) return;
    // The pane shows that the gateway does not know the process.
    client.connection.request('console/history', { key }).then(
      ({ processes: [entry] }) => entry && client.processes.remember(entry),
      () => undefined,
    );
  };
  if (processStore.getState().isListed) {
    look();
    return;
  }
  const unsubscribe = processStore.subscribe(({ isListed }) => {
    if (!isListed) return;
    unsubscribe();
    look();
  });
}
