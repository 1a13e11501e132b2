// The named tokens of a gateway: kept as hashes, so that reading the state gives nobody a way in.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

export class Tokens {
  readonly #path: string;
  #records: TokenRecord[];
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
    this.#records = [...others.filter((each) => !surplus.includes(each)), added];
    writePrivateFile(this.#path, `${JSON.stringify({ tokens: this.#records }, null, 2)}\n`);
    return { token, identity: identityOf(added) };
  }

  /** Accepts a token that is kept elsewhere, as an operator's, while this gateway runs. */
  accept(token: string, name: string): void {
    const hash = sha256(token).toString('hex');
    this.#foreign.push({
      id: `file-${hash.slice(0, 12)}`,
      name,
      role: 'operator',
      sha256: hash,
      createdAtMs: Date.now(),
      expiresAtMs: null,
    });
  }

  /** Whose token this is; null when it is nobody's, or expired. Takes the same time wherever it differs. */
  verify(token: string): Identity | null {
    const hash = sha256(token);
    let found: TokenRecord | null = null;
    for (const each of [...this.#records, ...this.#foreign]) {
      if (timingSafeEqual(hash, Buffer.from(each.sha256, 'hex')) && !isExpired(each)) found = each;
    }
    return found && identityOf(found);
  }

  #read(): TokenRecord[] {
    return readRecords(this.#path).filter((each) => !isExpired(each));
  }
}

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
