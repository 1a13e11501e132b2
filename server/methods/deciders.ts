// The check for decisions about agents: a connection that the gateway's own processes opened has no right to them.
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import type { Console } from '../console/console.ts';
import { isOfOurs } from '../host/local-peer.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Peer } from '../sessions/peer.ts';

/** Time for which the result of a check counts: each check goes through all processes of the machine. */
const LOOKED_MS = 1000;

/** Peer → time at which it was last found not to descend from our processes. */
const lookedAtMs = new WeakMap<Peer, number>();

/** Throws for a connection of a process of ours: with the state folder's token it would be an admin's. */
export function checkDecider(console: Console, peer: Peer): void {
  const now = performance.now();
  if (now - (lookedAtMs.get(peer) ?? -Infinity) < LOOKED_MS) return;
  const from = peer.connection.channel.peer;
  // For a proxied caller, the proxy's connection is checked.
  const [, through = from] = /\(through (.*)\)$/.exec(from) ?? [];
  const leaders = new Set(
    console.directory.all().flatMap((process) => (process.isClosed ? [] : process.pid)),
  );
  if (!isOfOurs(through, leaders)) {
    lookedAtMs.set(peer, now);
    return;
  }
  throw new RpcError(
    ErrorCode.forbidden,
    'a process that this gateway has started may not decide about agents: use a terminal or browser of your own',
  );
}
