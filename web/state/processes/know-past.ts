// Processes of earlier gateways that a link names: known by their key once the list has come without them.
import type { ExecClient } from '../../../client/exec-client.ts';
import { processStore } from './process-store.ts';

export function knowPast(client: ExecClient, key: string): void {
  const look = (): void => {
    if (client.processes.get(key)) return;
    // Its pane says that the gateway does not know it.
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
