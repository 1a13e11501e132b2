// Named tokens of a gateway, stored as hashes, so that reading the state grants no access.
import { timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { Role } from '../../protocol/session.ts';
import { countedText, numberText } from '../../text/amounts.ts';
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
  type GuestRecord,
} from './token-records.ts';

export interface NewToken {
  readonly name: string;
  readonly role: Role;
  /** Lifetime in ms; null means that it never expires. */
  readonly ttlMs: number | null;
  /** True for an agent whose own client may decide its approvals. */
  readonly mayElicit?: boolean;
}

const FILE_NAME = 'tokens.json';

/** Maximum number of tokens with one name, because every start creates a token for agents; the newest are retained. */
const MAX_PER_NAME = 200;

const MAX_TOKENS = 1000;

/** Interval of checks for tokens that another gateway, or a command, has created or revoked. */
const LOOK_MS = 1000;

/** Thrown when the number of tokens, pages or shares is at its limit. */
export class TokensFull extends Error {}

/** Thrown when the creator's own token has ended. */
export class TokenEnded extends Error {}

/** Throws TokensFull when the limit on all tokens is reached. */
export function checkRoom(records: readonly StoredRecord[]): void {
  if (records.filter(isToken).length >= MAX_TOKENS)
    throw new TokensFull(`there are ${numberText(MAX_TOKENS)} tokens, which is the limit; revoke some first`);
}

export class Tokens {
  readonly #path: string;
  #records: readonly StoredRecord[] = [];
  /** Version of the file that this gateway last read or wrote; null when there was no file. */
  #version: string | null = null;
  #onRevoked: (id: string) => void = () => {};
  /** The callback `trouble` of `watch`; null until `watch` is called. */
  #onTrouble: ((reason: string | null) => void) | null = null;
  /** Reason why the file could not be read at the last check; null when it could. */
  #unread: string | null = null;
  /** Reason why revocations could not be written; null when none has failed since the last success. */
  #unwritten: string | null = null;
  /** Ids that this gateway has revoked, but not yet removed from the file. */
  readonly #ended = new Set<string>();
  /** Tokens that are stored elsewhere: in the operator's token file, or in the file for local commands. */
  readonly #foreign: TokenRecord[] = [];
  /** Time of the last use of each known token, by id. */
  readonly #seenAtMs = new Map<string, number>();

  /** Reads the stored tokens, if there are any; throws an error that names the file when it cannot be parsed. */
  constructor(stateDir: string) {
    this.#path = join(stateDir, FILE_NAME);
    this.#read();
  }

  /**
   * Creates a token, and removes the oldest ones of this name beyond `MAX_PER_NAME`. Only this call returns the secret,
   * because only its hash is stored. Throws TokensFull at the limit on all tokens.
   */
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
      const remaining = surplus.reduce((left, { id }) => without(left, id), records);
      checkRoom(remaining);
      return [...remaining, added];
    });
    return { token: secret, identity: identityOf(added) };
  }

  /** Returns all valid tokens in the file, the newest last. */
  list(): readonly TokenRecord[] {
    return this.records().filter(isToken);
  }

  /** Returns the tokens that are stored elsewhere, which this gateway accepts while it runs. */
  foreign(): readonly TokenRecord[] {
    return this.#foreign;
  }

  /** Returns the identity of a valid token by its id; otherwise null. */
  identityWith(id: string): Identity | null {
    const found = [...this.list(), ...this.foreign()].find((each) => each.id === id && !isExpired(each));
    return found ? identityOf(found) : null;
  }

  /** Returns true when a token with this id is among `records` or the tokens that are stored elsewhere. */
  isGood(id: string, records: readonly StoredRecord[]): boolean {
    return [...records, ...this.#foreign].some((each) => each.id === id && isToken(each));
  }

  /** Returns true when `id` descends from the token `giver`: by links, agents' tokens or shares. */
  isGivenBy(id: string, giver: string): boolean {
    return treeOf(this.records(), giver).some((each) => each.id === id && id !== giver);
  }

  /** Returns the time of a token's last use since this gateway started; null when there was none. */
  lastSeenAtMs(id: string): number | null {
    return this.#seenAtMs.get(id) ?? null;
  }

  /**
   * Revokes a token; returns false when it does not exist. `watch` reports the revocation on every gateway of
   * this state folder, so that the token's clients are disconnected.
   */
  revoke(id: string): boolean {
    return this.#remove(id, isToken);
  }

  /** Revokes a share like `revoke`; its guests are disconnected, too. */
  revokeShare(id: string): boolean {
    return this.#remove(id, isShare);
  }

  /**
   * Calls `revoked` with the id of each token, share or guest that is removed before its expiry. Each check calls
   * `trouble` with the reason why the file cannot be read, or why a token revoked here is still in it; with null when
   * neither applies. Returns a function that stops the checks.
   */
  watch(revoked: (id: string) => void, trouble: (reason: string | null) => void = () => {}): () => void {
    this.#onRevoked = revoked;
    this.#onTrouble = trouble;
    // Polling is used because `watchFile` reports a change only once, even if no descriptor was free to read
    // the file.
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

  /**
   * Returns the identity of a token; null when it is unknown or expired, or grants no access by itself. The comparison
   * takes the same time wherever the tokens differ.
   */
  verify(token: string): Identity | null {
    const found = this.find(token);
    // A share's secret only creates guests, and a page with a key is admitted only by that key.
    if (!found || isShare(found) || (isToken(found) && found.page)) return null;
    return this.authenticated(found);
  }

  /** Returns the identity of a record whose credential was verified, and stores the time as its last use. */
  authenticated(record: TokenRecord | GuestRecord): Identity {
    this.#seenAtMs.set(record.id, Date.now());
    return identityOf(record);
  }

  /** Returns the valid record with this `proofIdOf`; null when there is none, or only a share. */
  findById(id: string): TokenRecord | GuestRecord | null {
    const find = (): StoredRecord | undefined =>
      [...this.#records, ...this.#foreign].find((each) => proofIdOf(each) === id && !isExpired(each));
    const found = find() ?? (this.#refresh() ? find() : undefined);
    return !found || isShare(found) ? null : found;
  }

  find(secret: string): StoredRecord | null {
    const hash = sha256(secret);
    const known = this.#find(hash);
    // A command may have created the token a moment ago.
    return known ?? (this.#refresh() ? this.#find(hash) : null);
  }

  /** Returns all valid stored records, each after its parent. */
  records(): readonly StoredRecord[] {
    this.#refresh();
    return this.#records.filter((each) => !isExpired(each));
  }

  /**
   * Replaces the stored records with those that `update` returns; returns false, and writes nothing, when that is the
   * same array. A lock prevents changes by other programs meanwhile; throws Locked when one of them has it.
   */
  change(update: (records: readonly StoredRecord[]) => readonly StoredRecord[]): boolean {
    return withFileLock(this.#path, (checkHeld) => {
      const before = this.#read();
      const after = update(before);
      if (after === before) return false;
      checkHeld();
      writeRecords(this.#path, after);
      this.#version = versionOf(this.#path);
      this.#take(after);
      return true;
    });
  }

  /** Removes a record with all its descendants, such as shares, their guests, and the pages of links. */
  #remove(id: string, isKind: (each: StoredRecord) => boolean): boolean {
    const end = (): boolean =>
      this.change((records) =>
        records.some((each) => each.id === id && isKind(each)) ? without(records, id) : records,
      );
    // The command line has no clients to disconnect, and reports write errors itself.
    if (!this.#onTrouble) return end();
    const isKnown = this.records().some((each) => each.id === id && isKind(each));
    if (!isKnown) return end();
    // Clients are disconnected first, because writing may fail for lack of a descriptor, disk space or the
    // lock.
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
      // The records that `change` reads already lack the revoked ones.
      this.change((records) => [...records]);
      for (const id of ids) this.#ended.delete(id);
      this.#unwritten = null;
    } catch (error) {
      this.#unwritten =
        `${countedText(this.#ended.size, 'revoked token or share is', 'revoked tokens or shares are')} refused now, ` +
        `but would be valid again after a restart, ` +
        `because ${this.#path} cannot be written (${(error as Error).message}). The gateway keeps trying.`;
    }
    this.#report();
  }

  #find(hash: Buffer): StoredRecord | null {
    let found: StoredRecord | null = null;
    for (const each of [...this.#records, ...this.#foreign]) {
      if (timingSafeEqual(hash, Buffer.from(each.sha256, 'hex')) && !isExpired(each)) found = each;
    }
    return found;
  }

  /** Applies changes by other programs; returns true when any were applied. */
  #refresh(): boolean {
    let isChanged = false;
    try {
      isChanged = versionOf(this.#path) !== this.#version;
      if (isChanged) this.#read();
      this.#unread = null;
    } catch (error) {
      isChanged = false;
      this.#unread =
        `Changes to tokens by other programs have no effect, because the stored tokens cannot be read: ` +
        `${(error as Error).message}. Tokens that the gateway knows stay valid.`;
    }
    this.#report();
    return isChanged;
  }

  #report(): void {
    this.#onTrouble?.(this.#unwritten ?? this.#unread);
  }

  #take(stored: readonly StoredRecord[]): void {
    const former = this.#records;
    const records = [...this.#ended].reduce(without, stored);
    this.#records = records;
    const left = new Set(records.map(({ id }) => id));
    for (const each of former) {
      if (left.has(each.id)) continue;
      this.#seenAtMs.delete(each.id);
      if (!isExpired(each)) this.#onRevoked(each.id);
    }
  }

  #read(): readonly StoredRecord[] {
    // The version is read before the file, so that a write in between counts as another version.
    const version = versionOf(this.#path);
    const records = recordsOf(readText(this.#path), this.#path).filter((each) => !isExpired(each));
    // The version is stored only after the file was read, so that a failed read is repeated.
    this.#version = version;
    this.#take(records);
    return this.#records;
  }
}
