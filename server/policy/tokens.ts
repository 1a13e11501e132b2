// The named tokens of a gateway: stored as hashes, so that reading the state grants no access.
import { timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { Role } from '../../protocol/session.ts';
import { withFileLock } from './file-lock.ts';
import type { Identity } from './identity.ts';
import {
  identityOf,
  isExpired,
  isPage,
  isShare,
  isToken,
  newSecret,
  proofIdOf,
  readText,
  recordsOf,
  sha256,
  treeOf,
  versionOf,
  without,
  writeRecords,
  type StoredRecord,
  type TokenRecord,
  type ViewerRecord,
} from './token-records.ts';

export interface NewToken {
  readonly name: string;
  readonly role: Role;
  /** Lifetime in ms; null = never expires. */
  readonly ttlMs: number | null;
  /** True for an agent whose own client may decide about its requests. */
  readonly mayElicit?: boolean;
}

const FILE_NAME = 'tokens.json';

/** Limit of tokens of one name, as every start creates an agent's token; the newest stay. */
const MAX_PER_NAME = 200;

/** Limit of tokens of all names. */
const MAX_TOKENS = 1000;

/** Interval between checks for tokens that another gateway, or the command line, has created or revoked. */
const LOOK_MS = 1000;

/** Thrown when the number of tokens is at its limit. */
export class TokensFull extends Error {}

/** Thrown when the creator's own token has ended, so that it can grant nothing more. */
export class TokenEnded extends Error {}

/** Throws when there is no room for one more. */
export function checkRoom(records: readonly StoredRecord[]): void {
  if (records.filter(isToken).length >= MAX_TOKENS)
    throw new TokensFull(`there are ${MAX_TOKENS} tokens, which is the limit; revoke some first`);
}

export class Tokens {
  readonly #path: string;
  #records: readonly StoredRecord[] = [];
  /** Version of the file that was last read or written here. */
  #version: string | null = null;
  #onRevoked: (id: string) => void = () => {};
  /** Called with the reason why a revocation is not written yet, or null once it is; null while nothing watches. */
  #onUnwritten: ((reason: string | null) => void) | null = null;
  /** Ids that were revoked here, and are still in the file, which could not be written. */
  readonly #ended = new Set<string>();
  /** Tokens that are stored outside the state: in the file that the operator named. */
  readonly #foreign: TokenRecord[] = [];
  /** Time of the last use of each token, by id; only of known ones. */
  readonly #seenAtMs = new Map<string, number>();

  /** Reads the file of an earlier start; throws with its name when it cannot be parsed. */
  constructor(stateDir: string) {
    this.#path = join(stateDir, FILE_NAME);
    this.#read();
  }

  /** Creates a token; it is shown only this once. */
  create({ name, role, ttlMs, mayElicit = false }: NewToken): { token: string; identity: Identity } {
    const { secret, id, sha256 } = newSecret();
    const now = Date.now();
    const expiresAtMs = ttlMs === null ? null : now + ttlMs;
    const kind = 'token';
    const added: TokenRecord = {
      id,
      name,
      role,
      kind,
      sha256,
      createdAtMs: now,
      expiresAtMs,
      parent: null,
      ...(mayElicit && { mayElicit }),
    };
    this.change((records) => {
      const surplus = records
        .filter((each) => isToken(each) && !isPage(each) && each.parent === null && each.name === name)
        .slice(0, -(MAX_PER_NAME - 1));
      const kept = surplus.reduce((left, { id }) => without(left, id), records);
      checkRoom(kept);
      return [...kept, added];
    });
    return { token: secret, identity: identityOf(added) };
  }

  /** Returns all valid tokens, the newest last. */
  list(): readonly TokenRecord[] {
    return this.records().filter(isToken);
  }

  /** Returns the tokens that are valid only while this gateway runs. */
  foreign(): readonly TokenRecord[] {
    return this.#foreign;
  }

  /** Returns the identity of a valid token by its id; null when there is none any more. */
  identityWith(id: string): Identity | null {
    const found = [...this.list(), ...this.foreign()].find((each) => each.id === id && !isExpired(each));
    return found ? identityOf(found) : null;
  }

  /** True when the token still grants access, in these records or as one of this gateway's own. */
  isGood(id: string, records: readonly StoredRecord[]): boolean {
    return [...records, ...this.#foreign].some((each) => each.id === id && isToken(each));
  }

  /** True for a token that descends from another one, by links, tokens for agents or shares, in any number of steps. */
  isGivenBy(id: string, giver: string): boolean {
    return treeOf(this.records(), giver).some((each) => each.id === id && id !== giver);
  }

  /** Returns the time of its last use here. */
  lastSeenAtMs(id: string): number | null {
    return this.#seenAtMs.get(id) ?? null;
  }

  /**
   * Returns false when there is no such token. `watch` reports it on every gateway of this state, which disconnects its
   * clients.
   */
  revoke(id: string): boolean {
    return this.#remove(id, isToken);
  }

  /** Revokes a share like `revoke`; its viewers are disconnected, too. */
  revokeShare(id: string): boolean {
    return this.#remove(id, isShare);
  }

  /**
   * `revoked` is called with the id of each token that ends before its time; `unwritten` with the reason why a token
   * revoked here is still in the file, and with null once it is not. Returns a function that stops it.
   */
  watch(revoked: (id: string) => void, unwritten: (reason: string | null) => void = () => {}): () => void {
    this.#onRevoked = revoked;
    this.#onUnwritten = unwritten;
    // Polling, since `watchFile` reports a change only once, even when no descriptor is left to read the file.
    const timer = setInterval(() => {
      this.#refresh();
      this.#writeEnded();
    }, LOOK_MS).unref();
    return () => clearInterval(timer);
  }

  /** Accepts a token that is stored elsewhere, while this gateway runs. */
  accept(token: string, name: string, role: Role): void {
    const hash = sha256(token).toString('hex');
    this.#foreign.push({
      id: `file-${hash.slice(0, 12)}`,
      name,
      role,
      kind: 'gateway',
      sha256: hash,
      createdAtMs: Date.now(),
      expiresAtMs: null,
      parent: null,
    });
  }

  /** Returns the identity of a token; null when it is unknown, or expired. Takes the same time wherever it differs. */
  verify(token: string): Identity | null {
    const found = this.find(token);
    // A share's secret creates viewers, and has no identity; a page with a key has no secret.
    if (!found || isShare(found) || (isToken(found) && found.page)) return null;
    return this.cameIn(found);
  }

  /** Returns the identity of a record whose credential was proved, and notes the time. */
  cameIn(record: TokenRecord | ViewerRecord): Identity {
    this.#seenAtMs.set(record.id, Date.now());
    return identityOf(record);
  }

  /** Returns the record that proofs name by this id (`proofIdOf`), if it grants access. */
  findById(id: string): TokenRecord | ViewerRecord | null {
    const find = (): StoredRecord | undefined =>
      [...this.#records, ...this.#foreign].find((each) => proofIdOf(each) === id && !isExpired(each));
    const found = find() ?? (this.#refresh() ? find() : undefined);
    return !found || isShare(found) ? null : found;
  }

  /** Returns the record of this secret. */
  find(secret: string): StoredRecord | null {
    const hash = sha256(secret);
    const known = this.#find(hash);
    // The command line may have created it a moment ago.
    return known ?? (this.#refresh() ? this.#find(hash) : null);
  }

  /** Returns all valid stored records, the newest last. */
  records(): readonly StoredRecord[] {
    this.#refresh();
    return this.#records.filter((each) => !isExpired(each));
  }

  /**
   * Replaces the stored records; no other program with this state, gateway or command line, changes them between
   * reading and writing. Returns true when there was anything to change.
   */
  change(update: (records: readonly StoredRecord[]) => readonly StoredRecord[]): boolean {
    return withFileLock(this.#path, (isHeld) => {
      const before = this.#read();
      const after = update(before);
      if (after === before) return false;
      if (!isHeld()) throw new Error(`${this.#path} was changed by somebody else meanwhile`);
      writeRecords(this.#path, after);
      this.#version = versionOf(this.#path);
      this.#take(after);
      return true;
    });
  }

  /**
   * Removes a record with everything that descends from it: shares and their viewers, the pages of links, and so on.
   */
  #remove(id: string, isKind: (each: StoredRecord) => boolean): boolean {
    const end = (): boolean =>
      this.change((records) =>
        records.some((each) => each.id === id && isKind(each)) ? without(records, id) : records,
      );
    // The command line has no clients to disconnect, and reports itself that it could not write.
    if (!this.#onUnwritten) return end();
    const isKnown = this.records().some((each) => each.id === id && isKind(each));
    if (!isKnown) return end();
    // Clients are disconnected first: writing may fail for want of a descriptor, room or the lock.
    this.#ended.add(id);
    this.#take(this.#records);
    this.#writeEnded();
    return true;
  }

  /** Writes revocations; the next check retries a failure. */
  #writeEnded(): void {
    if (this.#ended.size === 0) return;
    try {
      const ids = [...this.#ended];
      // The records that are read for the change lack the revoked ones already, and are written so.
      this.change((records) => [...records]);
      for (const id of ids) this.#ended.delete(id);
      this.#onUnwritten?.(null);
    } catch (error) {
      this.#onUnwritten?.(
        `${this.#ended.size} revoked tokens or shares let nobody in here, but are still in ${this.#path}, and good ` +
          `again after a restart, because it cannot be written (${(error as Error).message}). It is tried again.`,
      );
    }
  }

  #find(hash: Buffer): StoredRecord | null {
    let found: StoredRecord | null = null;
    for (const each of [...this.#records, ...this.#foreign]) {
      if (timingSafeEqual(hash, Buffer.from(each.sha256, 'hex')) && !isExpired(each)) found = each;
    }
    return found;
  }

  /** Applies changes by other programs; returns true when there were any. */
  #refresh(): boolean {
    try {
      if (versionOf(this.#path) === this.#version) return false;
      this.#read();
      return true;
    } catch {
      // The file is damaged while the gateway runs: known tokens stay valid, and the next start reports the damage.
      return false;
    }
  }

  #take(kept: readonly StoredRecord[]): void {
    const former = this.#records;
    const records = [...this.#ended].reduce(without, kept);
    this.#records = records;
    const left = new Set(records.map(({ id }) => id));
    for (const each of former) {
      if (left.has(each.id)) continue;
      this.#seenAtMs.delete(each.id);
      if (!isExpired(each)) this.#onRevoked(each.id);
    }
  }

  /** Reads the file and applies its records. */
  #read(): readonly StoredRecord[] {
    // The version is taken before reading, so that a write in between counts as another one.
    const version = versionOf(this.#path);
    const text = readText(this.#path);
    // The version is stored after reading, so that a file that could not be read is checked again, by the next caller
    // and by `watch`.
    this.#version = version;
    const records = recordsOf(text, this.#path).filter((each) => !isExpired(each));
    this.#take(records);
    return this.#records;
  }
}
