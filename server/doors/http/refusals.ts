// Whoever is refused at the door, on record: one by one as long as they are few.
import { RateLimit, type Rate } from '../../limits/rate-limit.ts';

/** Wrong proofs that get a verdict of their own; a right one is never asked about. Over all peers: loopback is one. */
const PROOFS: Rate = { burst: 30, everyMs: 2000 };

/** More than these are only counted, or any page could fill the record until nothing else is left in it. */
const RECORDED: Rate = { burst: 100, everyMs: 6000 };

const TOO_MANY = 429;

/** How a visit was answered. */
export interface Refused {
  readonly status: number;
  readonly reason: string;
}

export interface RefusedVisit {
  readonly from: string;
  readonly reason: string;
  /** As it was answered; null where nothing was. */
  readonly status: number | null;
  /** Where it went, without secrets; null of a connection that was closed before it could say. */
  readonly request: { readonly method: string; readonly path: string } | null;
}

export type RecordRefusal = (from: string, details: Readonly<Record<string, string | number>>) => void;

export class Refusals {
  readonly #record: RecordRefusal;
  readonly #proofs = new RateLimit(PROOFS);
  readonly #recorded = new RateLimit(RECORDED);
  #unrecorded = 0;
  /** All there were, by the status that they were answered with. */
  readonly counts: Record<string, number> = { connection: 0, 400: 0, 401: 0, 403: 0, 421: 0, 429: 0 };

  constructor(record: RecordRefusal) {
    this.#record = record;
  }

  /** Whether another wrong proof still gets a verdict. */
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
