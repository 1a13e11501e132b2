// One kind of entries of the record: the newest in memory, all of them in a file of their own.
import type { AuditEntry } from '../protocol/audit.ts';
import { AuditFile, type AuditFileLimits } from './audit-file.ts';

export interface ShelfLimits extends AuditFileLimits {
  /** The newest, for the console; at times twice as many. */
  readonly auditEntries: number;
}

export class Shelf {
  readonly #path: string | null;
  readonly #limits: ShelfLimits;
  readonly #file: AuditFile | null;
  #entries: AuditEntry[] = [];
  /** Entries that could not be written. */
  #unwritten = 0;
  #failure: string | null = null;

  /** `path` is null where all is kept in memory only. */
  constructor(path: string | null, limits: ShelfLimits) {
    this.#path = path;
    this.#limits = limits;
    this.#file = path === null ? null : new AuditFile(path, limits);
  }

  /** In their order. */
  get entries(): readonly AuditEntry[] {
    return this.#entries;
  }

  /** Why nothing is being written to the file; null when it is. */
  get failure(): string | null {
    return this.#failure;
  }

  add(entry: AuditEntry): void {
    this.#entries.push(entry);
    const { auditEntries } = this.#limits;
    // Cut now and then, so that each entry costs the same.
    if (this.#entries.length >= 2 * auditEntries) this.#entries = this.#entries.slice(-auditEntries);
    const { atMs, ...others } = entry;
    if (!this.#append({ at: new Date(atMs).toISOString(), ...others })) this.#unwritten += 1;
  }

  /** Says how many could not be written, if that can be written now. */
  retry(): void {
    if (this.#unwritten > 0) this.#append(null);
  }

  close(): void {
    this.#file?.close();
  }

  #append(line: object | null): boolean {
    try {
      const at = new Date().toISOString();
      if (this.#unwritten > 0)
        this.#file?.append(JSON.stringify({ at, act: 'unwritten', count: this.#unwritten }));
      this.#unwritten = 0;
      if (line) this.#file?.append(JSON.stringify(line));
      this.#failure = null;
      return true;
    } catch (error) {
      this.#failure =
        `The audit log cannot be written (${(error as Error).message}): what people do is kept in memory only. ` +
        `Make room where ${this.#path} lies, or make it writable.`;
      return false;
    }
  }
}
