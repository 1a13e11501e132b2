// Audit entries of a connection's requests: the caller, its address, the object.
import { CloseCode } from '../../protocol/console-constants.ts';
import { masked } from '../../text/masking.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Peer, PeerAudit } from '../sessions/peer.ts';
import { actOf, isCounted } from '../audit/acts.ts';
import type { Act, Audit } from '../audit/audit.ts';
import { AuditAllowance } from '../audit/audit-allowance.ts';
import { isRepeatable } from '../audit/repeatable.ts';

export interface AllowanceLimits {
  /** Entries in a minute of what one can repeat without end; of one who only looks, or all of one share, of all. */
  readonly auditPerMinute: number;
  /**
   * Requests of one, or of all of one share, that are refused in a minute before connections that continue are closed.
   */
  readonly refusalsPerMinute: number;
}

/** One for all connections: the allowance of a caller counts over all of theirs. */
export function peerAudit(audit: Audit, limits: AllowanceLimits): PeerAudit {
  const recorded = new AuditAllowance(limits.auditPerMinute);
  const refusals = new AuditAllowance(limits.refusalsPerMinute);
  const record = (peer: Peer, what: Pick<Act, 'act' | 'key' | 'details'>): void => {
    const by = whose(peer);
    if (by.role === 'observer' || isRepeatable(what)) {
      const tooMany = (count?: number): void =>
        audit.record({
          ...by,
          act: 'tooMany',
          key: null,
          ...(count !== undefined && { details: { count } }),
        });
      const verdict = recorded.take(ownerOf(peer), performance.now(), tooMany);
      if (verdict === 'sayTooMany') tooMany();
      if (verdict !== 'record') return;
    }
    audit.record({ ...by, ...what });
  };
  return {
    began: (peer) => record(peer, { act: 'connected', key: null }),
    called(peer, method, params, result) {
      if (isCounted(method)) {
        const { chunk } = params as { chunk: string };
        audit.recordInput(peer.label, keyOf(peer, params), bytesIn(chunk), () => whose(peer));
        return;
      }
      const what = actOf(method, params, result);
      if (what) record(peer, { ...what, key: what.key || keyOf(peer, params) });
    },
    failed(peer, method, params, error) {
      const what = actOf(method, params, {});
      if (!what && !isCounted(method)) return;
      const details = { ...what?.details, method, ...reasonOf(method, error) };
      record(peer, { act: 'failed', key: keyIn(params), details });
    },
    refused(peer, method, params) {
      record(peer, { act: 'refused', key: keyIn(params), details: { method } });
      if (refusals.take(ownerOf(peer), performance.now(), () => {}) !== 'record')
        peer.connection.close(CloseCode.flooded, 'too many requests that are refused');
    },
    ended: (peer) => record(peer, { act: 'disconnected', key: null }),
  };
}

/** Owner of an allowance: for guests, their share. */
const ownerOf = ({ identity: { share, tokenId } }: Peer): string => share?.id ?? tokenId;

export function whose({
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

const LONGEST_REASON = 1000;

/** Reason as sent to the peer; only for processes, since that of an outbound request may have the whole address. */
const reasonOf = (method: string, error: unknown): { readonly reason?: string } =>
  error instanceof RpcError && method.startsWith('process/')
    ? { reason: masked(error.message).slice(0, LONGEST_REASON) }
    : {};

/** Longest possible key; a longer name is not kept. */
const LONGEST_KEY = 64;

function keyIn(params: unknown): string | null {
  const { key } = (params ?? {}) as { key?: unknown };
  return typeof key === 'string' && key.length <= LONGEST_KEY ? key : null;
}

/** The public name of the process that a request is about, however it names it. */
function keyOf(peer: Peer, params: unknown): string | null {
  const { key, processId } = (params ?? {}) as { key?: unknown; processId?: unknown };
  if (key !== undefined) return keyIn(params);
  return typeof processId === 'string' ? (peer.session.process(processId)?.key ?? null) : null;
}

/** Decoded, of base64 that is known to be good. */
const bytesIn = (chunk: string): number => Buffer.byteLength(chunk, 'base64');
