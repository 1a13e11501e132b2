// Control that survives a reload of the tab: the page retakes control of its processes, unless another
// connection has taken it.
import type { ExecClient } from '../../../client/exec-client.ts';
import { ofThisGateway, readStored, writeStored } from './storage.ts';

const STORED = ofThisGateway('exec-console.controlled');

/**
 * Time limit for retaking control: the gateway may notice the end of the old page only after the new one has
 * started.
 */
const PATIENCE_MS = 5000;

interface Controlled {
  /** Label of the connection through which the page had control. */
  readonly connection: string;
  readonly keys: readonly string[];
}

/**
 * Stores which processes the page controls, and retakes control of them after a reload; call it once per
 * page.
 */
export function keepControl({ connection, processes }: ExecClient): void {
  const former = readStored(STORED, (value) => (isControlled(value) ? value : null), 'tab');
  const wanted = new Set(former?.keys);
  if (wanted.size > 0) setTimeout(() => wanted.clear(), PATIENCE_MS);
  processes.onChanged(() => {
    const { state } = connection;
    if (state.kind !== 'online') return;
    for (const key of wanted) {
      const controller = processes.get(key)?.controller;
      if (controller === former?.connection) continue;
      wanted.delete(key);
      // The pane shows that this page has no control if the request fails.
      if (controller === null)
        connection.request('process/control', { key, take: true }).catch(() => undefined);
    }
    const keys = processes
      .list()
      .flatMap(({ key, controller }) => (controller === state.connection ? key : []));
    if (keys.length > 0 || wanted.size === 0) {
      const controlled: Controlled = { connection: state.connection, keys };
      writeStored(STORED, controlled, 'tab');
    }
  });
}

function isControlled(value: unknown): value is Controlled {
  if (typeof value !== 'object' || value === null) return false;
  const { connection, keys } = value as Partial<Record<keyof Controlled, unknown>>;
  return (
    typeof connection === 'string' && Array.isArray(keys) && keys.every((key) => typeof key === 'string')
  );
}
