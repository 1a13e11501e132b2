// Audit log for later accountability: who did what, kept in memory for the console and in files permanently.
import { dirname, join } from 'node:path';
import type { AuditEntry, AuditFilter } from '../../protocol/audit.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { isVisit } from './repeatable.ts';
import { Shelf, type ShelfLimits } from './shelf.ts';

export interface AuditLimits extends ShelfLimits {
  /** Time within which one connection's input to one process becomes one entry. */
  readonly auditInputMs: number;
}

export interface AuditOptions {
  /** Path of the file for acts; visits have a file beside it. Null: only in memory. */
  readonly path: string | null;
  readonly limits: AuditLimits;
  /** Called with the reason when no file is being written, and with null when writing works again. */
  readonly failed: (reason: string | null) => void;
  /** Called with every entry. */
  readonly recorded?: (entry: AuditEntry) => void;
}

/** Longest address of a caller, which a proxy reports. */
const LONGEST_FROM = 200;

/** Most processes with pending input entries at once; beyond, all of these are written sooner. */
const MOST_INPUTS = 1000;

/** An entry before its number and its time. */
export type Act = Omit<AuditEntry, 'number' | 'atMs'>;

/** The typing connection and its address. */
export type Typist = Omit<Act, 'act' | 'key'>;

export class Audit {
  readonly #options: AuditOptions;
  readonly #acts: Shelf;
  /** Visits have a shelf of their own, so that no number of them evicts an act. */
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
    // Input before this act must come before it in the log.
    this.#writeInput();
    this.#add(act);
  }

  /** Counts input; the bytes are never kept. */
  recordInput(connection: string, key: string | null, bytes: number, whose: () => Typist): void {
    // Neither part has a space in it.
    const id = `${connection} ${key}`;
    if (this.#input.size >= MOST_INPUTS) this.#writeInput();
    const before = this.#input.get(id);
    if (before) before.bytes += bytes;
    else this.#input.set(id, { ...whose(), act: 'input', key, bytes });
    this.#timer ??= setTimeout(() => this.#writeInput(), this.#options.limits.auditInputMs).unref();
  }

  /** Entries that match, newest first. */
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
    // Copies, because the originals share memory with a request, which may be large.
    const entry = ownCopy({
      number: this.#number,
      atMs: Date.now(),
      ...act,
      from: act.from.slice(0, LONGEST_FROM),
    });
    shelf.add(entry);
    this.#options.recorded?.(entry);
    // Both files are in the same folder: where one can be written again the other can.
    if (shelf.failure === null) other.retry();
    this.#options.failed(shelf.failure ?? other.failure);
  }
}
