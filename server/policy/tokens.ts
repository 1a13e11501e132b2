// The named tokens of a gateway: kept as hashes, so that reading the state gives nobody a way in.
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
  /** ms from now; null = never expires. */
  readonly ttlMs: number | null;
}

const FILE_NAME = 'tokens.json';

/** Every start makes an agent's token: of one name only the newest stay. */
const MAX_PER_NAME = 200;

/** Of all names. */
const MAX_TOKENS = 1000;

/** How often the state is looked at for what another gateway, or the command line, has made or revoked. */
const LOOK_MS = 1000;

/** There are as many as may be. */
export class TokensFull extends Error {}

/** Whose token this was gives nothing away any more. */
export class TokenEnded extends Error {}

/** Throws when there is none for one more. */
export function checkRoom(records: readonly StoredRecord[]): void {
  if (records.filter(isToken).length >= MAX_TOKENS)
    throw new TokensFull(`there are ${MAX_TOKENS} tokens, which is the limit; revoke some first`);
}

export class Tokens {
  readonly #path: string;
  #records: readonly StoredRecord[] = [];
  /** Which one of the file was last read or written here. */
  #version: string | null = null;
  #onRevoked: (id: string) => void = () => {};
  /** Told why what is revoked here is not written down yet; null when it is, or while nobody watches. */
  #onUnwritten: ((reason: string | null) => void) | null = null;
  /** Revoked here, and still in the file, which could not be written. */
  readonly #ended = new Set<string>();
  /** Tokens that live outside the state: the file that the operator named. */
  readonly #foreign: TokenRecord[] = [];
  /** When each was last shown, by id; only of what is known. */
  readonly #seenAtMs = new Map<string, number>();

  /** Reads what an earlier start has left; throws with the file's name when it cannot be understood. */
  constructor(stateDir: string) {
    this.#path = join(stateDir, FILE_NAME);
    this.#read();
  }

  /** Makes a token; the result is the only time it is seen. */
  create({ name, role, ttlMs }: NewToken): { token: string; identity: Identity } {
    const { secret, id, sha256 } = newSecret();
    const now = Date.now();
    const expiresAtMs = ttlMs === null ? null : now + ttlMs;
    const kind = 'token';
    const added: TokenRecord = { id, name, role, kind, sha256, createdAtMs: now, expiresAtMs, parent: null };
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

  /** All that are good, the newest last. */
  list(): readonly TokenRecord[] {
    return this.records().filter(isToken);
  }

  /** Those that are good only while this gateway runs. */
  foreign(): readonly TokenRecord[] {
    return this.#foreign;
  }

  /** Whether it still lets somebody in: of what is kept now, or of this gateway's own. */
  isGood(id: string, records: readonly StoredRecord[]): boolean {
    return [...records, ...this.#foreign].some((each) => each.id === id && isToken(each));
  }

  /** True for a token that has come of another one, by links, tokens for agents or shares, in however many steps. */
  isGivenBy(id: string, giver: string): boolean {
    return treeOf(this.records(), giver).some((each) => each.id === id && id !== giver);
  }

  /** When somebody last came in with it here. */
  lastSeenAtMs(id: string): number | null {
    return this.#seenAtMs.get(id) ?? null;
  }

  /** False when there is no such token. Whoever came in with it is told by `watch`, on every gateway of this state. */
  revoke(id: string): boolean {
    return this.#remove(id, isToken);
  }

  /** As `revoke`, of a share; whoever looks by it is put out, too. */
  revokeShare(id: string): boolean {
    return this.#remove(id, isShare);
  }

  /**
   * `revoked` is told the id of each token that is good no more before its time; `unwritten`, why one that was revoked
   * here is still in the file, and null when it is not any more. Returns its own undo.
   */
  watch(revoked: (id: string) => void, unwritten: (reason: string | null) => void = () => {}): () => void {
    this.#onRevoked = revoked;
    this.#onUnwritten = unwritten;
    // Not `watchFile`: that tells of a change once, also when there is no descriptor left to read it with.
    const timer = setInterval(() => {
      this.#refresh();
      this.#writeEnded();
    }, LOOK_MS).unref();
    return () => clearInterval(timer);
  }

  /** Accepts a token that is kept elsewhere, while this gateway runs. */
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

  /** Whose token this is; null when it is nobody's, or expired. Takes the same time wherever it differs. */
  verify(token: string): Identity | null {
    const found = this.find(token);
    // A share's secret makes viewers, and is itself nobody's; a page with a key has no secret.
    if (!found || isShare(found) || (isToken(found) && found.page)) return null;
    return this.cameIn(found);
  }

  /** For whoever has proved that this is theirs. */
  cameIn(record: TokenRecord | ViewerRecord): Identity {
    this.#seenAtMs.set(record.id, Date.now());
    return identityOf(record);
  }

  /** What is named so in proofs (`proofIdOf`), and lets somebody in. */
  findById(id: string): TokenRecord | ViewerRecord | null {
    const find = (): StoredRecord | undefined =>
      [...this.#records, ...this.#foreign].find((each) => proofIdOf(each) === id && !isExpired(each));
    const found = find() ?? (this.#refresh() ? find() : undefined);
    return !found || isShare(found) ? null : found;
  }

  /** What this is the secret of. */
  find(secret: string): StoredRecord | null {
    const hash = sha256(secret);
    const known = this.#find(hash);
    // It may have been made a moment ago, by the command line.
    return known ?? (this.#refresh() ? this.#find(hash) : null);
  }

  /** All that is good and kept, the newest last. */
  records(): readonly StoredRecord[] {
    this.#refresh();
    return this.#records.filter((each) => !isExpired(each));
  }

  /**
   * Puts others in the place of the records that are kept now; nobody else of this state, gateway or command line,
   * changes anything between reading and writing. Whether there was anything to change.
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

  /** With all that came of it: shares and who looks by them, the pages of links, and what came of those. */
  #remove(id: string, isKind: (each: StoredRecord) => boolean): boolean {
    const end = (): boolean =>
      this.change((records) =>
        records.some((each) => each.id === id && isKind(each)) ? without(records, id) : records,
      );
    // The command line has nobody to put out, and says itself that it could not.
    if (!this.#onUnwritten) return end();
    const isKnown = this.records().some((each) => each.id === id && isKind(each));
    if (!isKnown) return end();
    // Whoever is in is put out first: for the file there may be no descriptor, no room or no lock.
    this.#ended.add(id);
    this.#take(this.#records);
    this.#writeEnded();
    return true;
  }

  /** Tried again until it works. */
  #writeEnded(): void {
    if (this.#ended.size === 0) return;
    try {
      const ids = [...this.#ended];
      // What is read for the change is without them already, and written so.
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

  /** What somebody else has changed counts from now on; whether there was anything. */
  #refresh(): boolean {
    try {
      if (versionOf(this.#path) === this.#version) return false;
      this.#read();
      return true;
    } catch {
      // Damaged while it runs: what is known stays good, and the next start says what is wrong.
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

  /** What is kept now counts from now on. */
  #read(): readonly StoredRecord[] {
    // Before it is read: what is written meanwhile is another one.
    const version = versionOf(this.#path);
    const text = readText(this.#path);
    // Not before it is read: what could not be is looked at again, by whoever asks next and by `watch`.
    this.#version = version;
    const records = recordsOf(text, this.#path).filter((each) => !isExpired(each));
    this.#take(records);
    return this.#records;
  }
}
