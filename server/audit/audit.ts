// Who did what, for whoever has to find out later: kept in memory for the console, in files for good.
import { dirname, join } from 'node:path';
import type { AuditEntry, AuditFilter } from '../../protocol/audit.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { isVisit } from './repeatable.ts';
import { Shelf, type ShelfLimits } from './shelf.ts';

export interface AuditLimits extends ShelfLimits {
  /** What one connection types into one process within this time is one entry. */
  readonly auditInputMs: number;
}

export interface AuditOptions {
  /** Of what was done; visits lie beside it. Null: only in memory. */
  readonly path: string | null;
  readonly limits: AuditLimits;
  /** Told why nothing is being written to a file, and with null that it is again. */
  readonly failed: (reason: string | null) => void;
  /** Told of every entry. */
  readonly recorded?: (entry: AuditEntry) => void;
}

/** Of where somebody comes from, which a proxy says. */
const LONGEST_FROM = 200;

/** Of what is typed into different processes at once; beyond, all of it is written sooner. */
const MOST_INPUTS = 1000;

/** An entry before its number and its time. */
export type Act = Omit<AuditEntry, 'number' | 'atMs'>;

/** Who types, from where. */
export type Typist = Omit<Act, 'act' | 'key'>;

export class Audit {
  readonly #options: AuditOptions;
  readonly #acts: Shelf;
  /** By themselves, so that however many there are they push out nothing that was done. */
  readonly #visits: Shelf;
  readonly #input = new Map<string, Act & { bytes: number }>();
  #number = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: AuditOptions) {
    this.#options = options;
    const { path, limits } = options;
    this.#acts = new Shelf(path, limits);
    this.#visits = new Shelf(path === null ? null : join(dirname(path), 'audit-visits.jsonl'), limits);
  }

  record(act: Act): void {
    // What was typed before was typed before.
    this.#writeInput();
    this.#add(act);
  }

  /** What is typed is counted, never kept. */
  recordInput(connection: string, key: string | null, bytes: number, whose: () => Typist): void {
    // Neither has a space in it.
    const id = `${connection} ${key}`;
    if (this.#input.size >= MOST_INPUTS) this.#writeInput();
    const before = this.#input.get(id);
    if (before) before.bytes += bytes;
    else this.#input.set(id, { ...whose(), act: 'input', key, bytes });
    this.#timer ??= setTimeout(() => this.#writeInput(), this.#options.limits.auditInputMs).unref();
  }

  /** The newest first, of those that are asked for. */
  read({ before = Infinity, after = 0, key, who, act }: AuditFilter, limit: number): readonly AuditEntry[] {
    this.#writeInput();
    const found: AuditEntry[] = [];
    for (const entry of this.#newestFirst()) {
      if (entry.number <= after || found.length === limit) break;
      const isMeant =
        entry.number < before &&
        (key === undefined || entry.key === key) &&
        (who === undefined || entry.who === who) &&
        (act === undefined || entry.act === act);
      if (isMeant) found.push(entry);
    }
    return found;
  }

  close(): void {
    this.#writeInput();
    this.#acts.close();
    this.#visits.close();
  }

  *#newestFirst(): Generator<AuditEntry> {
    const [acts, visits] = [this.#acts.entries, this.#visits.entries];
    let [act, visit] = [acts.at(-1), visits.at(-1)];
    let [lastAct, lastVisit] = [acts.length - 1, visits.length - 1];
    while (act || visit) {
      if (act && (!visit || act.number > visit.number)) {
        yield act;
        act = acts[(lastAct -= 1)];
      } else if (visit) {
        yield visit;
        visit = visits[(lastVisit -= 1)];
      }
    }
  }

  #writeInput(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const all = [...this.#input.values()];
    this.#input.clear();
    for (const act of all) this.#add(act);
  }

  #add(act: Act): void {
    this.#number += 1;
    const [shelf, other] = isVisit(act) ? [this.#visits, this.#acts] : [this.#acts, this.#visits];
    // What it was made of belongs to a request, which may be large.
    const entry = ownCopy({
      number: this.#number,
      atMs: Date.now(),
      ...act,
      from: act.from.slice(0, LONGEST_FROM),
    });
    shelf.add(entry);
    this.#options.recorded?.(entry);
    // They lie in the same folder: where one can be written again the other can.
    if (shelf.failure === null) other.retry();
    this.#options.failed(shelf.failure ?? other.failure);
  }
}
