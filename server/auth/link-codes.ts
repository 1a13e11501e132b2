// The single-use codes in printed links: whoever brings one in time gets a credential of their own.
import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../protocol/session.ts';

/** Whom a link can make: agents need none. */
export type LinkRole = Exclude<Role, 'agent'>;

/** Who somebody is by a link; one that names nobody makes a `page`. */
export interface Welcome {
  readonly role: LinkRole;
  readonly name: string | null;
}

/** Codes that may be outstanding; beyond, the oldest is worth nothing any more. */
const MAX_CODES = 16;

export class LinkCodes {
  readonly #ttlMs: number;
  /** Hash of the code → whom it makes and when it ends, in the order of making. */
  readonly #codes = new Map<string, Welcome & { readonly endsAtMs: number }>();

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  /** For whoever redeems it in time. */
  create({ role, name }: Welcome): string {
    const code = randomBytes(24).toString('base64url');
    this.#codes.set(hash(code), { role, name, endsAtMs: Date.now() + this.#ttlMs });
    for (const oldest of this.#codes.keys()) {
      if (this.#codes.size <= MAX_CODES) break;
      this.#codes.delete(oldest);
    }
    return code;
  }

  /** Whom a code makes that is good; null for every other. */
  welcomeOf(code: string): Welcome | null {
    const found = this.#codes.get(hash(code));
    return found && found.endsAtMs > Date.now() ? { role: found.role, name: found.name } : null;
  }

  /** The same; and it is not good any more. */
  redeem(code: string): Welcome | null {
    const welcome = this.welcomeOf(code);
    this.#codes.delete(hash(code));
    return welcome;
  }
}

/** Looked up by hash, the time it takes says nothing about the code. */
const hash = (code: string): string => createHash('sha256').update(code).digest('hex');
