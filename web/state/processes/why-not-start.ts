// Reasons why an action that needs the gateway is not possible now.
import type { ShownConnection } from './process-store.ts';

type Connection = Pick<ShownConnection, 'kind'>;

/** Returns why nothing can be started; null while the gateway responds. */
export const whyNotStart = (connection: Connection): string | null =>
  whyNot(connection, 'nothing can be started');

/**
 * Returns why an action is not possible; `what` describes the effect, such as "nothing can be started". Null while the
 * gateway responds.
 */
export function whyNot({ kind }: Connection, what: string): string | null {
  if (kind === 'online') return null;
  return kind === 'silent'
    ? `The gateway does not respond: ${what} until it does.`
    : `There is no connection to the gateway: ${what} until it is back.`;
}

/** Returns why the busiest processes are unknown; null while the gateway responds. */
export const whyNotMeasure = (connection: Connection): string | null =>
  whyNot(connection, 'CPU and memory are unknown');

/** Returns why links, shares and tokens cannot be created or revoked; null while the gateway responds. */
export const whyNotChange = (connection: Connection): string | null =>
  whyNot(connection, 'nothing can be changed');
