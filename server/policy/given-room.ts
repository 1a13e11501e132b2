// Room for one more of what comes of one token: when there is none, the one that was away longest is removed.
import { isToken, rootOf, treeOf, without, type StoredRecord, type TokenRecord } from './token-records.ts';
import { TokensFull, type Tokens } from './tokens.ts';

export interface RoomOptions {
  readonly tokens: Tokens;
  /** Which records are counted, among those of the same root. */
  readonly isCounted: (each: TokenRecord) => boolean;
  readonly most: number;
  /** Whether a connection is open with this token. */
  readonly isConnected: (tokenId: string) => boolean;
  /** Said when every one of them is connected. */
  readonly whyFull: string;
}

/** The records that are left; throws TokensFull where every one that counts is in use. */
export function makeRoom(
  records: readonly StoredRecord[],
  added: TokenRecord,
  { tokens, isCounted, most, isConnected, whyFull }: RoomOptions,
): readonly StoredRecord[] {
  const root = rootOf(records, added);
  const counted = records.filter(isToken).filter((each) => isCounted(each) && rootOf(records, each) === root);
  if (counted.length < most) return records;
  const lastSeen = ({ id, createdAtMs }: TokenRecord): number => tokens.lastSeenAtMs(id) ?? createdAtMs;
  const [longestAway] = counted
    .filter(({ id }) => !treeOf(records, id).some((each) => isConnected(each.id)))
    .toSorted((one, other) => lastSeen(one) - lastSeen(other));
  if (!longestAway) throw new TokensFull(whyFull);
  return without(records, longestAway.id);
}
