// Share links for people without a token: each client that opens one gets a separate observer's token, which ends
// with the share.
import type { Identity } from './identity.ts';
import {
  identityOf,
  isShare,
  isGuestRecord,
  newSecret,
  type ShareRecord,
  type StoredRecord,
  type GuestRecord,
} from './token-records.ts';
import { TokenEnded, TokensFull, type Tokens } from './tokens.ts';

const MAX_SHARES = 100;

/** Maximum number of guests of one share; beyond it, the guest absent longest is removed, or the new one refused. */
const MAX_GUESTS = 50;

/**
 * Time for which a new guest is not removed, so that opening a link repeatedly does not rewrite the file
 * each time.
 */
const NEWCOMER_MS = 60_000;

export interface NewShare {
  /** The only process that is shown; null means all. */
  readonly key: string | null;
  readonly ttlMs: number;
  readonly by: Pick<Identity, 'tokenId' | 'name' | 'expiresAtMs'>;
}

/** Reason why a share cannot be opened: it has ended or never existed, or it has too many guests. */
export type NotOpened = 'ended' | 'full';

export class Shares {
  readonly #tokens: Tokens;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /**
   * Creates a share; returns its secret, which is shown only once. Throws TokenEnded when the creator's token
   * has ended, and TokensFull at the limit.
   */
  create({ key, ttlMs, by }: NewShare): { readonly secret: string; readonly share: ShareRecord } {
    const { secret, id, sha256 } = newSecret();
    const createdAtMs = Date.now();
    const share: ShareRecord = {
      id,
      name: by.name,
      kind: 'share',
      sha256,
      createdAtMs,
      expiresAtMs: Math.min(createdAtMs + ttlMs, by.expiresAtMs ?? Number.POSITIVE_INFINITY),
      parent: by.tokenId,
      key,
    };
    this.#tokens.change((records) => {
      if (!this.#tokens.isGood(by.tokenId, records)) throw new TokenEnded('your token is no longer valid');
      if (records.filter(isShare).length >= MAX_SHARES)
        throw new TokensFull(`${MAX_SHARES} shares are active, which is the limit; revoke some first`);
      return [...records, share];
    });
    return { secret, share };
  }

  /** Returns all valid shares, the newest last. */
  list(): readonly ShareRecord[] {
    return this.#tokens.records().filter(isShare);
  }

  /** Returns all guests of shares, connected or not; `parent` is the share's id. */
  guests(): readonly GuestRecord[] {
    return this.#tokens.records().filter(isGuestRecord);
  }

  /** Revokes a share and disconnects its guests; returns false when no such share exists. */
  revoke(id: string): boolean {
    return this.#tokens.revokeShare(id);
  }

  /**
   * Creates a guest's token for a share's secret, or returns why it cannot. `isConnected` returns true for a guest with
   * an open connection, which is not removed to make room.
   */
  open(
    secret: string,
    isConnected: (tokenId: string) => boolean,
  ): { readonly token: string; readonly identity: Identity } | NotOpened {
    const share = this.#tokens.find(secret);
    if (!share || !isShare(share)) return 'ended';
    const { secret: token, id, sha256 } = newSecret();
    const guest: GuestRecord = {
      ...share,
      id,
      name: guestName(this.#tokens.records()),
      kind: 'viewer',
      sha256,
      createdAtMs: Date.now(),
      parent: share.id,
    };
    let isOver = false;
    const isMade = this.#tokens.change((records) => {
      // A command may have revoked the share a moment ago.
      isOver = !records.some((each) => each.id === share.id);
      if (isOver) return records;
      const remaining = this.#makeRoom(records, share, isConnected);
      return remaining ? [...remaining, guest] : records;
    });
    if (isMade) return { token, identity: identityOf(guest) };
    return isOver ? 'ended' : 'full';
  }

  #makeRoom(
    records: readonly StoredRecord[],
    share: ShareRecord,
    isConnected: (tokenId: string) => boolean,
  ): readonly StoredRecord[] | null {
    const guests = records.filter(isGuestRecord).filter(({ parent }) => parent === share.id);
    if (guests.length < MAX_GUESTS) return records;
    const lastSeen = ({ id, createdAtMs }: GuestRecord): number =>
      this.#tokens.lastSeenAtMs(id) ?? createdAtMs;
    const [longestAway] = guests
      .filter((each) => !isConnected(each.id) && each.createdAtMs < Date.now() - NEWCOMER_MS)
      .toSorted((one, other) => lastSeen(one) - lastSeen(other));
    return longestAway ? records.filter((each) => each !== longestAway) : null;
  }
}

/** Returns a name such as `guest 3`, unique among the guests of all shares. */
function guestName(records: readonly StoredRecord[]): string {
  const taken = new Set(records.filter(isGuestRecord).map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = `guest ${number}`;
    if (!taken.has(name)) return name;
  }
}
