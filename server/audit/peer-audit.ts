// What a connection's requests are in the audit: who asked, from where, for what.
import type { Peer, PeerAudit } from '../session/peer.ts';
import { actOf } from './acts.ts';
import type { Act, Audit } from './audit.ts';
import { ObserverAllowance, type AllowanceLimits } from './observer-allowance.ts';

/** One for all connections: what somebody may fill of the record is counted over all of theirs. */
export function peerAudit(audit: Audit, limits: AllowanceLimits): PeerAudit {
  const allowance = new ObserverAllowance(limits);
  const record = (peer: Peer, what: Pick<Act, 'act' | 'key' | 'details'>): void => {
    const { role, share, tokenId } = peer.identity;
    const verdict = role === 'observer' ? allowance.take(share?.id ?? tokenId, performance.now()) : 'record';
    if (verdict === 'record') audit.record({ ...whose(peer), ...what });
    if (verdict === 'sayTooMany') audit.record({ ...whose(peer), act: 'tooMany', key: null });
  };
  return {
    began: (peer) => record(peer, { act: 'connected', key: null }),
    called(peer, method, params, result) {
      if (method === 'process/write') {
        const { chunk } = params as { chunk: string };
        audit.recordInput({ ...whose(peer), act: 'input', key: keyOf(peer, params), bytes: bytesIn(chunk) });
        return;
      }
      const what = actOf(method, params, result);
      if (what) record(peer, { ...what, key: what.key || keyOf(peer, params) });
    },
    failed(peer, method, params) {
      const what = actOf(method, params, {});
      if (!what && method !== 'process/write') return;
      record(peer, { act: 'failed', key: keyIn(params), details: { ...what?.details, method } });
    },
    refused: (peer, method, params) =>
      record(peer, { act: 'refused', key: keyIn(params), details: { method } }),
    ended: (peer) => record(peer, { act: 'disconnected', key: null }),
  };
}

function whose({
  identity,
  label,
  connection,
}: Peer): Pick<Act, 'who' | 'role' | 'token' | 'connection' | 'from'> {
  return {
    who: identity.name,
    role: identity.role,
    token: identity.tokenId,
    connection: label,
    from: connection.channel.peer,
  };
}

/** As long as one can be; whatever else is named there is not kept. */
const LONGEST_KEY = 64;

function keyIn(params: unknown): string | null {
  const { key } = (params ?? {}) as { key?: unknown };
  return typeof key === 'string' && key.length <= LONGEST_KEY ? key : null;
}

/** The public name of the process that a request is about, however it names it. */
function keyOf(peer: Peer, params: unknown): string | null {
  const { key, processId } = params as { key?: unknown; processId?: unknown };
  if (typeof key === 'string') return key;
  return typeof processId === 'string' ? (peer.session.process(processId)?.key ?? null) : null;
}

/** Decoded, of base64 that is known to be good. */
const bytesIn = (chunk: string): number => Buffer.byteLength(chunk, 'base64');
