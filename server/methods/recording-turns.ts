// Limits how many requests read recordings at once, whatever their method.
import { Budget } from '../limits/budget.ts';
import { Turns } from '../limits/turns.ts';
import { DamagedFacts } from '../history/stored-process.ts';
import { isSystemError } from '../host/regular-file.ts';
import { withRemedy } from '../host/starved.ts';
import { internal } from '../rpc/rpc-error.ts';
import type { Peer } from '../sessions/peer.ts';

/**
 * Limits on requests at once: in total, per token, and reserved for operators and admins. Each request may hold a whole
 * segment in memory, and a client may send thousands.
 */
const READERS = { all: 9, perToken: 2, reserve: 1 };
const turns = new Turns(new Budget('requests that read recordings', READERS));

/**
 * Calls `read` once the limits leave room for the peer's token; rejects if the connection has ended by then. A system
 * error becomes an RPC error that states the reason and, if known, the remedy; damaged facts become one, too.
 */
export const inRecordingTurn = <T>(
  { identity, connection }: Pick<Peer, 'identity' | 'connection'>,
  read: () => Promise<T>,
): Promise<T> =>
  turns.inTurn(identity, () => {
    if (connection.isEnding)
      return Promise.reject(internal('the connection was closed, so nothing was read'));
    return read().catch(named);
  });

function named(error: unknown): never {
  if (error instanceof DamagedFacts) throw internal(error.message);
  if (!isSystemError(error)) throw error;
  throw internal(`recordings cannot be read: ${withRemedy(error)}`);
}
