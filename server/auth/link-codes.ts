// The single-use codes in printed links: whoever brings one in time gets a credential of their own.
import { createHash, randomBytes } from 'node:crypto';

/** Codes that may be outstanding; beyond, the oldest is worth nothing any more. */
const MAX_CODES = 16;

export class LinkCodes {
  readonly #ttlMs: number;
  /** Hash of the code → when it ends, in the order of making. */
  readonly #codes = new Map<string, number>();

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  create(): string {
    const code = randomBytes(24).toString('base64url');
    this.#codes.set(hash(code), Date.now() + this.#ttlMs);
    for (const oldest of this.#codes.keys()) {
      if (this.#codes.size <= MAX_CODES) break;
      this.#codes.delete(oldest);
    }
    return code;
  }

  /** Whether the code was good; it is not any more. */
  redeem(code: string): boolean {
    const endsAt = this.#codes.get(hash(code));
    this.#codes.delete(hash(code));
    return endsAt !== undefined && endsAt > Date.now();
  }
}

/** Looked up by hash, the time it takes says nothing about the code. */
const hash = (code: string): string => createHash('sha256').update(code).digest('hex');
