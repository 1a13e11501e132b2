// Stores audit entries of one kind: the newest ones in memory, and many more in rotated files.
import type { AuditEntry } from '../../protocol/audit.ts';
import { visibleJson } from '../../text/visible.ts';
import { OldestOut } from '../limits/oldest-out.ts';
import { AuditFile, type AuditFileLimits } from './audit-file.ts';
import {
  countLines,
  parsePast,
  readPast,
  type Past,
  type PastLimits,
  type UnparsedPast,
} from './past-entries.ts';

export interface ShelfLimits extends AuditFileLimits, PastLimits {
  /** Maximum number of entries in memory, for the console; the newest ones are retained. */
  readonly auditEntries: number;
  /** Approximate maximum bytes of these entries in memory, in total and per token. */
  readonly auditKeptBytes: number;
  readonly auditKeptBytesPerToken: number;
}

/** Bytes of an entry besides its characters, which take at most two bytes each. */
const ENTRY_BYTES = 300;
const CHARACTER_BYTES = 2;

export class Shelf {
  readonly #path: string | null;
  readonly #file: AuditFile | null;
  readonly #limits: ShelfLimits;
  readonly #entries = new Map<number, AuditEntry>();
  #sizes: OldestOut<number>;
  /** Unparsed entries of earlier gateways; empty before `lookBack` and after `takePast`. */
  #past: UnparsedPast = { ends: [], failure: null };
  /** Number of entries that could not be written, and that no line of the file counts yet. */
  #unwritten = 0;
  #failure: string | null = null;

  /** `path` is null when entries are only in memory. */
  constructor(path: string | null, limits: ShelfLimits) {
    this.#path = path;
    this.#limits = limits;
    this.#sizes = sizesWithin(limits);
    this.#file = path === null ? null : new AuditFile(path, limits);
  }

  /** Entries, oldest first. */
  get entries(): readonly AuditEntry[] {
    return [...this.#entries.values()];
  }

  /** Reason why the file cannot be written; null when it can. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Reads the newest entries of earlier gateways, unparsed; returns their maximum possible number. */
  lookBack(): number {
    if (this.#path !== null) this.#past = readPast(this.#path, this.#limits);
    return countLines(this.#past);
  }

  /** Parses and returns the entries that `lookBack` has read; a second call returns none. */
  takePast(): Past {
    const past = parsePast(this.#past, this.#limits);
    this.#past = { ends: [], failure: null };
    return past;
  }

  /** Adds entries of earlier gateways to memory, oldest first, before those of this one. */
  precede(earlier: readonly (readonly [AuditEntry, chars: number])[]): void {
    const own = this.entries;
    this.#entries.clear();
    this.#sizes = sizesWithin(this.#limits);
    for (const [entry, chars] of earlier) this.#keep(entry, chars);
    for (const entry of own) this.#keep(entry, JSON.stringify(entry).length);
  }

  add(entry: AuditEntry): void {
    this.#keep(entry, JSON.stringify(entry).length);
    const { atMs, ...others } = entry;
    if (!this.#append({ at: new Date(atMs).toISOString(), ...others })) this.#unwritten += 1;
  }

  /** Tries again to write the line that counts the unwritten entries, if there are any. */
  retry(): void {
    if (this.#unwritten > 0) this.#append(null);
  }

  close(): void {
    this.#file?.close();
  }

  /** `chars`: length of the entry as JSON. */
  #keep(entry: AuditEntry, chars: number): void {
    this.#entries.set(entry.number, entry);
    const bytes = ENTRY_BYTES + CHARACTER_BYTES * chars;
    for (const number of this.#sizes.add(entry.number, entry.token, bytes)) this.#entries.delete(number);
  }

  #append(line: object | null): boolean {
    try {
      const at = new Date().toISOString();
      if (this.#unwritten > 0)
        this.#file?.append(JSON.stringify({ at, act: 'unwritten', count: this.#unwritten }));
      this.#unwritten = 0;
      if (line) this.#file?.append(visibleJson(JSON.stringify(line)));
      this.#failure = null;
      return true;
    } catch (error) {
      this.#failure =
        `The audit log cannot be written (${(error as Error).message}): new entries are only in memory. ` +
        `Free some space on the disk of ${this.#path}, or make the file writable.`;
      return false;
    }
  }
}

const sizesWithin = (limits: ShelfLimits): OldestOut<number> =>
  new OldestOut({
    entries: limits.auditEntries,
    size: limits.auditKeptBytes,
    sizePerOwner: limits.auditKeptBytesPerToken,
  });
