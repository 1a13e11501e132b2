// The named tokens of a gateway: kept as hashes, so that reading the state gives nobody a way in.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync, unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Role } from '../protocol/session.ts';
import type { Identity } from './identity.ts';
import { writePrivateFile } from './state-dir.ts';

const record = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(['agent', 'observer', 'operator', 'admin']),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  createdAtMs: z.number(),
  expiresAtMs: z.number().nullable(),
});
const file = z.object({ tokens: z.array(record) });
type TokenRecord = z.infer<typeof record>;

export interface NewToken {
  readonly name: string;
  readonly role: Role;
  /** ms from now; null = never expires. */
  readonly ttlMs: number | null;
}

const FILE_NAME = 'tokens.json';

/** Every start makes an agent's token and every link a page's: of one name only the newest stay. */
const MAX_PER_NAME = 200;

/** How often the state is looked at for what another gateway, or the command line, has made or revoked. */
const LOOK_MS = 1000;

/** What is public about a token. */
export type TokenInfo = Omit<TokenRecord, 'sha256'>;

export class Tokens {
  readonly #path: string;
  #records: TokenRecord[];
  /** The file's time when it was last read or written here. */
  #readAtMs: number | null = null;
  #onRevoked: (id: string) => void = () => {};
  /** Tokens that live outside the state: the file that the operator named. */
  readonly #foreign: TokenRecord[] = [];

  /** Reads what an earlier start has left; throws with the file's name when it cannot be understood. */
  constructor(stateDir: string) {
    this.#path = join(stateDir, FILE_NAME);
    this.#records = this.#read();
  }

  /** Makes a token; the result is the only time it is seen. */
  create({ name, role, ttlMs }: NewToken): { token: string; identity: Identity } {
    const token = randomBytes(32).toString('base64url');
    const now = Date.now();
    const added: TokenRecord = {
      id: randomBytes(9).toString('base64url'),
      name,
      role,
      sha256: sha256(token).toString('hex'),
      createdAtMs: now,
      expiresAtMs: ttlMs === null ? null : now + ttlMs,
    };
    // Another gateway with the same state may have made some meanwhile.
    const others = this.#read();
    const surplus = others.filter((each) => each.name === name).slice(0, -(MAX_PER_NAME - 1));
    const all = [...others.filter((each) => !surplus.includes(each)), added];
    this.#write(all);
    this.#take(all);
    return { token, identity: identityOf(added) };
  }

  /** All that are good, the newest last. */
  list(): readonly TokenInfo[] {
    this.#reload();
    return this.#records.map(({ id, name, role, createdAtMs, expiresAtMs }) => ({
      id,
      name,
      role,
      createdAtMs,
      expiresAtMs,
    }));
  }

  /** False when there is no such token. Whoever came in with it is told by `watch`, on every gateway of this state. */
  revoke(id: string): boolean {
    const others = this.#read();
    const left = others.filter((each) => each.id !== id);
    if (left.length === others.length) return false;
    this.#write(left);
    this.#take(left);
    return true;
  }

  /** `revoked` is told the id of each token that is good no more before its time. Returns its own undo. */
  watch(revoked: (id: string) => void): () => void {
    this.#onRevoked = revoked;
    const look = (): void => this.#reload();
    watchFile(this.#path, { interval: LOOK_MS, persistent: false }, look);
    return () => unwatchFile(this.#path, look);
  }

  /** Accepts a token that is kept elsewhere, while this gateway runs. */
  accept(token: string, name: string, role: Role): void {
    const hash = sha256(token).toString('hex');
    this.#foreign.push({
      id: `file-${hash.slice(0, 12)}`,
      name,
      role,
      sha256: hash,
      createdAtMs: Date.now(),
      expiresAtMs: null,
    });
  }

  /** Whose token this is; null when it is nobody's, or expired. Takes the same time wherever it differs. */
  verify(token: string): Identity | null {
    const hash = sha256(token);
    const known = this.#find(hash);
    if (known || !this.#hasChanged()) return known;
    // It may have been made a moment ago, by the command line.
    this.#reload();
    return this.#find(hash);
  }

  #find(hash: Buffer): Identity | null {
    let found: TokenRecord | null = null;
    for (const each of [...this.#records, ...this.#foreign]) {
      if (timingSafeEqual(hash, Buffer.from(each.sha256, 'hex')) && !isExpired(each)) found = each;
    }
    return found && identityOf(found);
  }

  /** Whether somebody else has written the file since it was read. */
  #hasChanged(): boolean {
    return modifiedAt(this.#path) !== this.#readAtMs;
  }

  /** What somebody else has changed counts from now on. */
  #reload(): void {
    try {
      this.#take(this.#read());
    } catch {
      // Damaged while it runs: what is known stays good, and the next start says what is wrong.
    }
  }

  #take(records: TokenRecord[]): void {
    const former = this.#records;
    this.#records = records;
    const left = new Set(records.map(({ id }) => id));
    for (const each of former) if (!left.has(each.id) && !isExpired(each)) this.#onRevoked(each.id);
  }

  #write(records: readonly TokenRecord[]): void {
    writePrivateFile(this.#path, `${JSON.stringify({ tokens: records }, null, 2)}\n`);
    this.#readAtMs = modifiedAt(this.#path);
  }

  #read(): TokenRecord[] {
    this.#readAtMs = modifiedAt(this.#path);
    return readRecords(this.#path).filter((each) => !isExpired(each));
  }
}

const modifiedAt = (path: string): number | null =>
  statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;

function readRecords(path: string): TokenRecord[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  try {
    return file.parse(JSON.parse(text)).tokens;
  } catch (cause) {
    throw new Error(`${path} is damaged; remove it and every token is gone, or restore it`, { cause });
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const isExpired = ({ expiresAtMs }: TokenRecord): boolean =>
  expiresAtMs !== null && expiresAtMs <= Date.now();

const identityOf = ({ id, name, role, expiresAtMs }: TokenRecord): Identity => ({
  tokenId: id,
  name,
  role,
  expiresAtMs,
});
