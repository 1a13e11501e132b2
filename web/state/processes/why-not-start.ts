// The reason why the gateway cannot start anything now.
import type { ShownConnection } from './process-store.ts';

/** Returns the reason why nothing can be started, and null when there is none. */
export function whyNotStart({ kind }: Pick<ShownConnection, 'kind'>): string | null {
  if (kind === 'online') return null;
  return kind === 'silent'
    ? 'The gateway does not respond: nothing can be started until it does.'
    : 'There is no connection to the gateway: nothing can be started until it is back.';
}
