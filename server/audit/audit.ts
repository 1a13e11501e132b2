// Who did what, for whoever has to find out later: kept in memory for the console, in a file for good.
import type { AuditEntry, AuditFilter } from '../protocol/audit.ts';
import { AuditFile, type AuditFileLimits } from './audit-file.ts';

export interface AuditLimits extends AuditFileLimits {
  /** The newest, for the console. */
  readonly auditEntries: number;
  /** What one connection types into one process within this time is one entry. */
  readonly auditInputMs: number;
}

export interface AuditOptions {
  /** Null: only in memory. */
  readonly path: string | null;
  readonly limits: AuditLimits;
  /** Told why nothing is being written to the file, and with null that it is again. */
  readonly failed: (reason: string | null) => void;
}

/** An entry before its number and its time. */
export type Act = Omit<AuditEntry, 'number' | 'atMs'>;

export class Audit {
  readonly #options: AuditOptions;
  readonly #file: AuditFile | null;
  readonly #input = new Map<string, Act & { readonly bytes: number }>();
  #entries: AuditEntry[] = [];
  #number = 0;
  /** Entries that could not be written. */
  #unwritten = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: AuditOptions) {
    this.#options = options;
    this.#file = options.path === null ? null : new AuditFile(options.path, options.limits);
  }

  record(act: Act): void {
    // What was typed before was typed before.
    this.#writeInput();
    this.#add(act);
  }

  /** What is typed is counted, never kept. */
  recordInput(act: Act & { readonly bytes: number }): void {
    const id = JSON.stringify([act.connection, act.key]);
    const before = this.#input.get(id)?.bytes ?? 0;
    this.#input.set(id, { ...act, bytes: before + act.bytes });
    this.#timer ??= setTimeout(() => this.#writeInput(), this.#options.limits.auditInputMs).unref();
  }

  /** The newest first, of those that are asked for. */
  read({ before = Infinity, after = 0, key, who, act }: AuditFilter, limit: number): readonly AuditEntry[] {
    this.#writeInput();
    const found: AuditEntry[] = [];
    for (let at = this.#entries.length - 1; at >= 0 && found.length < limit; at -= 1) {
      const entry = this.#entries[at];
      if (!entry || entry.number <= after) break;
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
    this.#file?.close();
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
    const entry: AuditEntry = { number: this.#number, atMs: Date.now(), ...act };
    this.#entries.push(entry);
    const { auditEntries } = this.#options.limits;
    // Cut now and then, so that each entry costs the same.
    if (this.#entries.length >= 2 * auditEntries) this.#entries = this.#entries.slice(-auditEntries);
    this.#write(entry);
  }

  #write({ atMs, ...entry }: AuditEntry): void {
    if (!this.#file) return;
    try {
      const at = new Date(atMs).toISOString();
      if (this.#unwritten > 0)
        this.#file.append(JSON.stringify({ at, act: 'unwritten', count: this.#unwritten }));
      this.#unwritten = 0;
      this.#file.append(JSON.stringify({ at, ...entry }));
      this.#options.failed(null);
    } catch (error) {
      this.#unwritten += 1;
      this.#options.failed(
        `The audit log cannot be written (${(error as Error).message}): what people do is kept in memory only. ` +
          `Make room where ${this.#options.path} lies, or make it writable.`,
      );
    }
  }
}
