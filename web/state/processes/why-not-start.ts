// Reasons why an action that needs the gateway is not possible now.
import type { ShownConnection } from './process-store.ts';

type Connection = Pick<ShownConnection, 'kind'>;

/** Returns the reason why nothing can be started, and null when there is none. */
export const whyNotStart = (connection: Connection): string | null =>
  whyNot(connection, 'nothing can be started');

/** Returns the reason for `what` is so, as in "nothing can be started", and null while the gateway answers. */
export function whyNot({ kind }: Connection, what: string): string | null {
  if (kind === 'online') return null;
  return kind === 'silent'
    ? `The gateway does not respond: ${what} until it does.`
    : `There is no connection to the gateway: ${what} until it is back.`;
}

/** Returns the reason why the busiest processes are not known, and null when there is none. */
export const whyNotMeasure = (connection: Connection): string | null =>
  whyNot(connection, 'what processes use is not known');

/** Returns the reason why links, shares and tokens cannot be created or revoked, and null when there is none. */
export const whyNotChange = (connection: Connection): string | null =>
  whyNot(connection, 'nothing can be changed');
