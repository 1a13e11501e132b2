// Records connections and their requests in the audit log, each with the caller and its address.
import { CloseCode } from '../../protocol/console-constants.ts';
import { headOf } from '../../text/cut.ts';
import { masked } from '../../text/masking.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Peer, PeerAudit } from '../sessions/peer.ts';
import { actOf, isCounted } from '../audit/acts.ts';
import type { Act, Audit } from '../audit/audit.ts';
import { AuditAllowance } from '../audit/audit-allowance.ts';
import { isRepeatable } from '../audit/repeatable.ts';

export interface AllowanceLimits {
  /**
   * Maximum number of audit entries per minute of one caller, or of all guests of one share, for acts that can be
   * repeated without limit. For observers and guests, it applies to all of their acts.
   */
  readonly auditPerMinute: number;
  /**
   * Maximum number of refused requests per minute of one caller, or of all guests of one share; the connection of any
   * further refused request is closed.
   */
  readonly refusalsPerMinute: number;
}

/**
 * Creates the audit that all connections share, because a caller's allowance covers all of the caller's
 * connections.
 */
export function peerAudit(audit: Audit, limits: AllowanceLimits): PeerAudit {
  const recorded = new AuditAllowance(limits.auditPerMinute);
  const refusals = new AuditAllowance(limits.refusalsPerMinute);
  const record = (peer: Peer, what: Pick<Act, 'act' | 'key' | 'details'>): void => {
    const by = callerOf(peer);
    if (by.role === 'observer' || isRepeatable(what)) {
      const tooMany = (count?: number): void =>
        audit.record({
          ...by,
          act: 'tooMany',
          key: null,
          ...(count !== undefined && { details: { count } }),
        });
      const verdict = recorded.take(ownerOf(peer), performance.now(), tooMany);
      if (verdict === 'noteTooMany') tooMany();
      if (verdict !== 'record') return;
    }
    audit.record({ ...by, ...what });
  };
  return {
    began: (peer) => record(peer, { act: 'connected', key: null }),
    called(peer, method, params, result) {
      if (isCounted(method)) {
        const { chunk } = params as { chunk: string };
        audit.recordInput(peer.label, keyOf(peer, params), bytesIn(chunk), () => callerOf(peer));
        return;
      }
      const what = actOf(method, params, result);
      if (what) record(peer, { ...what, key: what.key || keyOf(peer, numbered(result) ?? params) });
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
        peer.connection.close(CloseCode.flooded, 'too many refused requests');
    },
    ended: (peer) => record(peer, { act: 'disconnected', key: null }),
  };
}

/**
 * Returns the id whose allowance a peer uses: its token's or, for guests, that of the share, which all of its
 * guests use together.
 */
const ownerOf = ({ identity: { share, tokenId } }: Peer): string => share?.id ?? tokenId;

export function callerOf({
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

/**
 * Returns the start of the error message that the peer received, with secrets masked. Empty for an unexpected error,
 * and for methods outside `process/*`, because their messages may contain a URL.
 */
const reasonOf = (method: string, error: unknown): { readonly reason?: string } =>
  error instanceof RpcError && method.startsWith('process/')
    ? { reason: headOf(masked(error.message), LONGEST_REASON) }
    : {};

/** Maximum length of a key; longer ones are not recorded. */
const LONGEST_KEY = 64;

function keyIn(params: unknown): string | null {
  const { key } = (params ?? {}) as { key?: unknown };
  return typeof key === 'string' && key.length <= LONGEST_KEY ? key : null;
}

/**
 * Returns the id of the command that a request of the first dialect has started, from `sessionId` in the result; null
 * for any other result.
 */
function numbered(result: unknown): { readonly processId: string } | null {
  const { sessionId } = (result ?? {}) as { sessionId?: unknown };
  return typeof sessionId === 'string' ? { processId: sessionId } : null;
}

function keyOf(peer: Peer, params: unknown): string | null {
  const { key, processId } = (params ?? {}) as { key?: unknown; processId?: unknown };
  if (key !== undefined) return keyIn(params);
  return typeof processId === 'string' ? (peer.session.process(processId)?.key ?? null) : null;
}

const bytesIn = (chunk: string): number => Buffer.byteLength(chunk, 'base64');
