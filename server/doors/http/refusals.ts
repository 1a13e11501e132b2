// Logs refused requests individually up to a rate, and limits the rate of wrong proofs.
import { RateLimit, type Rate } from '../../limits/rate-limit.ts';

/**
 * Rate of wrong proofs that get their own reply; further ones get 429. Valid proofs always succeed. All peers
 * share the rate, since those on loopback cannot be distinguished.
 */
const PROOFS: Rate = { burst: 30, everyMs: 2000 };

/** Rate of logged refusals; further ones are only counted, since any page could flood the log. */
const RECORDED: Rate = { burst: 100, everyMs: 6000 };

const TOO_MANY = 429;

export interface Refused {
  readonly status: number;
  readonly reason: string;
}

export interface RefusedVisit {
  readonly from: string;
  readonly reason: string;
  /** HTTP status of the refusal; null for a connection that was closed before its request. */
  readonly status: number | null;
  /** Request without secrets; null for a connection that was closed before its request. */
  readonly request: { readonly method: string; readonly path: string } | null;
}

export type RecordRefusal = (from: string, details: Readonly<Record<string, string | number>>) => void;

export class Refusals {
  readonly #record: RecordRefusal;
  readonly #proofs = new RateLimit(PROOFS);
  readonly #recorded = new RateLimit(RECORDED);
  #unrecorded = 0;
  /** Number of refusals by status; `connection`: connections closed before a request. */
  readonly counts: Record<string, number> = { connection: 0, 400: 0, 401: 0, 403: 0, 421: 0, 429: 0 };

  constructor(record: RecordRefusal) {
    this.#record = record;
  }

  /** Counts a wrong proof; returns true when it gets its own reply, and false when it gets 429. */
  takeProof(): boolean {
    const isFew = this.#proofs.take();
    if (!isFew) {
      this.#unrecorded += 1;
      this.#count(TOO_MANY);
    }
    return isFew;
  }

  add({ from, reason, status, request }: RefusedVisit): void {
    this.#count(status);
    if (!this.#recorded.take()) {
      this.#unrecorded += 1;
      return;
    }
    const unrecorded = this.#unrecorded > 0 ? { unrecorded: this.#unrecorded } : {};
    this.#unrecorded = 0;
    this.#record(from, { ...request, reason, ...unrecorded });
  }

  #count(status: number | null): void {
    const label = status === null ? 'connection' : String(status);
    this.counts[label] = (this.counts[label] ?? 0) + 1;
  }
}
