// Refuses decisions about agents from connections of the gateway's own processes.
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { Console } from '../console/console.ts';
import { isOfOurs } from '../host/local-peer.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Peer } from '../sessions/peer.ts';

/** Time for which a check is valid, since each one scans all processes of the machine. */
const LOOKED_MS = 1000;

/** Time of each peer's last successful check. */
const lookedAtMs = new WeakMap<Peer, number>();

/**
 * Throws if one of the gateway's processes opened the connection, or may have, because such a process could have an
 * admin's token from the state folder.
 */
export function checkDecider(console: Console, peer: Peer): void {
  const now = performance.now();
  if (now - (lookedAtMs.get(peer) ?? -Infinity) < LOOKED_MS) return;
  const { ends } = peer.connection.channel;
  const leaders = new Set(
    console.directory.all().flatMap((process) => (process.isClosed ? [] : process.pid)),
  );
  if (!ends || !isOfOurs(ends, leaders)) {
    lookedAtMs.set(peer, now);
    return;
  }
  throw new RpcError(
    ErrorCode.forbidden,
    'a process that this gateway started is not allowed to decide for a person; use your own terminal or browser',
  );
}
