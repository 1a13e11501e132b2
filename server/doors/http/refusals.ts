// Refused visits in the audit log: recorded one by one as long as they are few.
import { RateLimit, type Rate } from '../../limits/rate-limit.ts';

/** Rate of wrong proofs that get a verdict; a right one needs none. For all peers together, as loopback is one. */
const PROOFS: Rate = { burst: 30, everyMs: 2000 };

/** Rate of recorded refusals; more are only counted, or any page could flood the log until it contains nothing else. */
const RECORDED: Rate = { burst: 100, everyMs: 6000 };

const TOO_MANY = 429;

/** The answer to a refused visit. */
export interface Refused {
  readonly status: number;
  readonly reason: string;
}

export interface RefusedVisit {
  readonly from: string;
  readonly reason: string;
  /** Status of the answer; null without one. */
  readonly status: number | null;
  /** Request without secrets; null for a connection that was closed before it sent one. */
  readonly request: { readonly method: string; readonly path: string } | null;
}

export type RecordRefusal = (from: string, details: Readonly<Record<string, string | number>>) => void;

export class Refusals {
  readonly #record: RecordRefusal;
  readonly #proofs = new RateLimit(PROOFS);
  readonly #recorded = new RateLimit(RECORDED);
  #unrecorded = 0;
  /** All refusals, by the status of their answer. */
  readonly counts: Record<string, number> = { connection: 0, 400: 0, 401: 0, 403: 0, 421: 0, 429: 0 };

  constructor(record: RecordRefusal) {
    this.#record = record;
  }

  /** Returns true while another wrong proof still gets a verdict. */
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
