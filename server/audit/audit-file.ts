// The audit's file: a line of JSON for each entry, in their order, for the owner only; full files are put aside.
import { closeSync, fstatSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

export interface AuditFileLimits {
  /** A file is put aside above this. */
  readonly auditBytes: number;
  /** How many are kept, the present one included. */
  readonly auditFiles: number;
}

export class AuditFile {
  readonly #path: string;
  readonly #limits: AuditFileLimits;
  #file: number | null = null;
  #bytes = 0;

  constructor(path: string, limits: AuditFileLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  /** When it returns the system has the line; throws when it cannot be written. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    if (this.#file !== null && this.#bytes + bytes.length > this.#limits.auditBytes) this.#putAside();
    this.#file ??= this.#open();
    try {
      if (writeSync(this.#file, bytes) < bytes.length) throw new Error('the disk is full');
      this.#bytes += bytes.length;
    } catch (error) {
      // A part of a line must not run into the next one.
      ftruncateSync(this.#file, this.#bytes);
      this.close();
      throw error;
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #open(): number {
    const file = openSync(this.#path, 'a', 0o600);
    this.#bytes = fstatSync(file).size;
    return file;
  }

  /** `audit.jsonl` becomes `audit.jsonl.1`, that `.2`, and the oldest goes. */
  #putAside(): void {
    this.close();
    const nameOf = (age: number): string => (age === 0 ? this.#path : `${this.#path}.${age}`);
    rmSync(nameOf(this.#limits.auditFiles - 1), { force: true });
    for (let age = this.#limits.auditFiles - 2; age >= 0; age -= 1) {
      try {
        renameSync(nameOf(age), nameOf(age + 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
}
