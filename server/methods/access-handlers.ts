// Handlers of access methods: all tokens for admins; shares and new tokens for agents also for operators.
import { headOf } from '../../text/cut.ts';
import { makeAgentToken } from '../policy/agent-tokens.ts';
import { Locked, onceUnlocked } from '../policy/file-lock.ts';
import type { Identity } from '../policy/identity.ts';
import type { Shares } from '../policy/shares.ts';
import type { ShareRecord, TokenRecord } from '../policy/token-records.ts';
import { whyNoName } from '../policy/token-name.ts';
import { TokenEnded, TokensFull, type Tokens } from '../policy/tokens.ts';
import type { Console } from '../console/console.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { SHARE_TTL_MS, type ShareInfo, type TokenInfo } from '../../protocol/access.ts';
import { internal, invalidParams, RpcError } from '../rpc/rpc-error.ts';
import type { Methods } from '../sessions/peer.ts';

export interface AccessOptions {
  readonly tokens: Tokens;
  readonly shares: Shares;
  readonly console: Console;
  /** Returns the number of open connections that use a token. */
  readonly connectedWith: (tokenId: string) => number;
}

type AccessMethods = Pick<
  Methods,
  | 'console/tokens'
  | 'console/createToken'
  | 'console/revokeToken'
  | 'console/share'
  | 'console/shares'
  | 'console/revokeShare'
>;

/** `options` is null on a gateway that serves a single client on stdio, which has no tokens and no shares. */
export function accessMethods(options: AccessOptions | null): AccessMethods {
  const access = (): AccessOptions => {
    if (options) return options;
    throw internal('this gateway has no tokens and no shares, because it serves a single client on stdio');
  };
  return {
    'console/tokens': (_params, { identity }) => {
      const { tokens } = access();
      const all = [...tokens.foreign(), ...tokens.list()];
      return { tokens: all.map((each) => tokenInfo(each, identity, access())) };
    },
    'console/createToken': ({ name, role, ttlMs }, { identity: giver }) => {
      const isAdmin = giver.role === 'admin';
      if (!isAdmin && role !== 'agent')
        throw new RpcError(ErrorCode.forbidden, `the role ${giver.role} can create tokens only for agents`);
      const why = whyNoName(name);
      if (why !== null) throw invalidParams(`console/createToken: params.name: ${why}`);
      const { tokens, connectedWith } = access();
      const isConnected = (id: string): boolean => connectedWith(id) > 0;
      return withUserErrors(() => {
        const { token, identity } = isAdmin
          ? tokens.create({ name, role, ttlMs })
          : makeAgentToken(tokens, { name, ttlMs, giver, isConnected });
        return { id: identity.tokenId, token, name, role, expiresAtMs: identity.expiresAtMs };
      });
    },
    'console/revokeToken': ({ id }) => {
      return withUserErrors(() => {
        if (!access().tokens.revoke(id)) throw noSuch('console/revokeToken', 'token', id);
        return {};
      });
    },
    'console/share': ({ key, ttlMs = SHARE_TTL_MS.default }, peer) => {
      const { shares, console } = access();
      if (key !== undefined) console.process(key);
      return withUserErrors(() => {
        const { secret, share } = shares.create({ key: key ?? null, ttlMs, by: peer.identity });
        const { id, expiresAtMs } = share;
        return { id, url: `${peer.pageUrl ?? ''}#share=${secret}`, expiresAtMs };
      });
    },
    'console/shares': (_params, peer) => {
      const theirs = access()
        .shares.list()
        .filter((share) => mayEnd(share, peer.identity));
      const connected = new Map<string, number>();
      for (const { id, parent } of access().shares.guests()) {
        connected.set(parent, (connected.get(parent) ?? 0) + access().connectedWith(id));
      }
      return {
        shares: theirs.map((share) => shareInfo(share, peer.identity, connected.get(share.id) ?? 0)),
      };
    },
    'console/revokeShare': ({ id }, peer) => {
      const { shares } = access();
      const share = shares.list().find((each) => each.id === id);
      if (!share || !mayEnd(share, peer.identity)) throw noSuch('console/revokeShare', 'share', id);
      return withUserErrors(() => {
        shares.revoke(id);
        return {};
      });
    },
  };
}

const isOwn = (share: ShareRecord, { tokenId }: Identity): boolean => share.parent === tokenId;

/** Returns true for the creator of the share, and for admins. */
const mayEnd = (share: ShareRecord, identity: Identity): boolean =>
  isOwn(share, identity) || identity.role === 'admin';

const noSuch = (method: string, what: string, id: string) =>
  invalidParams(`${method}: params.id: there is no ${what} ${headOf(id, 80)} that you can revoke`);

/**
 * Runs `make` once no other process has the token file locked; errors meant for the user become internal RPC
 * errors.
 */
function withUserErrors<T>(make: () => T): T | Promise<T> {
  const rethrow = (error: unknown): never => {
    const isForUser = [TokensFull, TokenEnded, Locked].some((kind) => error instanceof kind);
    throw isForUser ? internal((error as Error).message) : error;
  };
  try {
    const made = onceUnlocked(make);
    return made instanceof Promise ? made.catch(rethrow) : made;
  } catch (error) {
    return rethrow(error);
  }
}

function tokenInfo(
  { id, name, role, kind, createdAtMs, expiresAtMs }: TokenRecord,
  { tokenId }: Identity,
  { tokens, connectedWith }: AccessOptions,
): TokenInfo {
  const [lastSeenAtMs, connected] = [tokens.lastSeenAtMs(id), connectedWith(id)];
  return { id, name, role, kind, createdAtMs, expiresAtMs, lastSeenAtMs, connected, isOwn: id === tokenId };
}

function shareInfo(share: ShareRecord, identity: Identity, connected: number): ShareInfo {
  const { id, key, name, createdAtMs, expiresAtMs } = share;
  return { id, key, madeBy: name, isOwn: isOwn(share, identity), createdAtMs, expiresAtMs, connected };
}
