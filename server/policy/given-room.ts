// Makes room for one more descendant of a token: at the limit, the least recently used one without a connection is
// removed.
import { isToken, rootOf, treeOf, without, type StoredRecord, type TokenRecord } from './token-records.ts';
import { TokensFull, type Tokens } from './tokens.ts';

export interface RoomOptions {
  readonly tokens: Tokens;
  /** Returns true for records that count towards the limit, if they have the same root as the added token. */
  readonly isCounted: (each: TokenRecord) => boolean;
  readonly most: number;
  readonly isConnected: (tokenId: string) => boolean;
  /** Error message when no counted token may be removed. */
  readonly whyFull: string;
}

/**
 * Returns the remaining records. At the limit, throws TokensFull when every counted token, or a descendant of it, is
 * connected.
 */
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
