// Audit log: who did what. The newest entries are in memory for the console, and many more in rotated files.
import { dirname, join } from 'node:path';
import type { AuditEntry, AuditFilter } from '../../protocol/audit.ts';
import { ownCopy } from '../../text/own-copy.ts';
import type { PastLine } from './past-entries.ts';
import { isVisit } from './repeatable.ts';
import { Shelf, type ShelfLimits } from './shelf.ts';

export interface AuditLimits extends ShelfLimits {
  /** Maximum time for which the input of one connection to one process is joined into one entry. */
  readonly auditInputMs: number;
}

export interface AuditOptions {
  /** Path of the file for acts; entries for which `isVisit` is true have a file beside it. Null: memory only. */
  readonly path: string | null;
  readonly limits: AuditLimits;
  /** Called after each entry: with the reason while a file cannot be written, otherwise with null. */
  readonly failed: (reason: string | null) => void;
  readonly recorded?: (entry: AuditEntry) => void;
  /**
   * Called when lines of earlier gateways were skipped, or a file was not read. `count`: number of these lines;
   * `reason`: why the file was not read; null when all files were read.
   */
  readonly skipped?: (count: number, reason: string | null) => void;
}

/** Maximum length of a caller's address as reported by a proxy. */
const LONGEST_FROM = 200;

/** Maximum number of pending input entries; beyond it, all of them are written early. */
const MOST_INPUTS = 1000;

export type Act = Omit<AuditEntry, 'number' | 'atMs'>;

/** The person or agent that sent the input, with the connection and its address. */
export type Typist = Omit<Act, 'act' | 'key'>;

export class Audit {
  readonly #options: AuditOptions;
  readonly #acts: Shelf;
  /** Entries for which `isVisit` is true, such as connections, have a separate shelf, so that they evict no acts. */
  readonly #visits: Shelf;
  readonly #input = new Map<string, Act & { bytes: number }>();
  #number = 0;
  /** Highest number that is reserved for entries of earlier gateways. */
  #lastEarlier = 0;
  /** False while entries of earlier gateways are not in memory yet. */
  #isRecalled = true;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: AuditOptions) {
    this.#options = options;
    const { path, limits } = options;
    this.#acts = new Shelf(path, limits);
    this.#visits = new Shelf(path === null ? null : join(dirname(path), 'audit-visits.jsonl'), limits);
  }

  /**
   * Reads the newest entries of earlier gateways, which precede those of this one. Call it before the first entry is
   * recorded. The entries are parsed only when first needed, so that the start of the gateway is not delayed.
   */
  lookBack(): void {
    this.#lastEarlier = this.#acts.lookBack() + this.#visits.lookBack();
    this.#number = this.#lastEarlier;
    this.#isRecalled = false;
  }

  /** Acts of earlier gateways that are still in memory, oldest first. */
  get earlierActs(): readonly AuditEntry[] {
    this.#recall();
    return this.#acts.entries.filter(({ number }) => number <= this.#lastEarlier);
  }

  record(act: Act): void {
    // Earlier input must precede this act in the log.
    this.#writeInput();
    this.#add(act);
  }

  /** Counts bytes of input; the input itself is not stored. */
  recordInput(connection: string, key: string | null, bytes: number, typistOf: () => Typist): void {
    // Neither part contains a space, so the id is unambiguous.
    const id = `${connection} ${key}`;
    if (this.#input.size >= MOST_INPUTS) this.#writeInput();
    const before = this.#input.get(id);
    if (before) before.bytes += bytes;
    else this.#input.set(id, { ...typistOf(), act: 'input', key, bytes });
    this.#timer ??= setTimeout(() => this.#writeInput(), this.#options.limits.auditInputMs).unref();
  }

  /** Returns up to `limit` entries that match the filter, newest first. */
  read({ before = Infinity, after = 0, key, who, act }: AuditFilter, limit: number): readonly AuditEntry[] {
    this.#recall();
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

  #recall(): void {
    if (this.#isRecalled) return;
    this.#isRecalled = true;
    const [acts, visits] = [this.#acts.takePast(), this.#visits.takePast()];
    const lines = [...inOrder(acts.entries, visits.entries)];
    const earlier: { readonly [kind in Kind]: [AuditEntry, number][] } = { acts: [], visits: [] };
    const before = this.#lastEarlier - lines.length;
    for (const [index, [kind, { entry, chars }]] of lines.entries())
      earlier[kind].push([{ number: before + index + 1, ...entry }, chars]);
    this.#acts.precede(earlier.acts);
    this.#visits.precede(earlier.visits);
    const skipped = acts.skipped + visits.skipped;
    const failure = acts.failure ?? visits.failure;
    if (skipped > 0 || failure !== null) this.#options.skipped?.(skipped, failure);
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
    // The entry is copied, because strings of the original may retain a large request.
    const entry = ownCopy({
      number: this.#number,
      atMs: Date.now(),
      ...act,
      from: act.from.slice(0, LONGEST_FROM),
    });
    shelf.add(entry);
    this.#options.recorded?.(entry);
    // Both files are in the same folder, so when one can be written again, the other probably can, too.
    if (shelf.failure === null) other.retry();
    this.#options.failed(shelf.failure ?? other.failure);
  }
}

type Kind = 'acts' | 'visits';

/** Merges both lists by time without changing the order of either, since the clock may have been set back. */
function* inOrder(acts: readonly PastLine[], visits: readonly PastLine[]): Generator<[Kind, PastLine]> {
  let next = 0;
  for (const act of acts) {
    for (let visit = visits[next]; visit && visit.entry.atMs < act.entry.atMs; visit = visits[next]) {
      yield ['visits', visit];
      next += 1;
    }
    yield ['acts', act];
  }
  for (const visit of visits.slice(next)) yield ['visits', visit];
}
