// The audit log's file: one line of JSON for each entry, in order, readable only by the owner, rotated when full.
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { openRegular, READ_AND_APPEND } from '../host/regular-file.ts';
import { Locked, withFileLock } from '../policy/file-lock.ts';

export interface AuditFileLimits {
  /** Size above which a file is rotated, in bytes. */
  readonly auditBytes: number;
  /** Number of retained files, including the current one. */
  readonly auditFiles: number;
}

/**
 * Returns the path of a file by its age: for example `audit.jsonl` for 0, and `audit.jsonl.1` for the newest
 * rotated one.
 */
export const pathOfAge = (path: string, age: number): string => (age === 0 ? path : `${path}.${age}`);

const NEWLINE = 0x0a;

/** A file that another gateway with this state folder may write to and rotate at any time. */
export class AuditFile {
  readonly #path: string;
  readonly #limits: AuditFileLimits;
  #open: { readonly file: number; readonly inode: number } | null = null;

  constructor(path: string, limits: AuditFileLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  /** Appends the line with a synchronous write; throws when it cannot be written. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    let { file, size, inode } = this.#present();
    if (size > 0 && size + bytes.length > this.#limits.auditBytes) {
      this.#tryPutAside(inode);
      ({ file } = this.#present());
    }
    try {
      const written = writeSync(file, bytes);
      if (written === bytes.length) return;
      takeBack(file, bytes.subarray(0, written));
      throw new Error('the disk is full');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    if (this.#open !== null) closeSync(this.#open.file);
    this.#open = null;
  }

  /** Returns the file that is currently at the path; opens it if necessary. */
  #present(): { readonly file: number; readonly inode: number; readonly size: number } {
    const there = statSync(this.#path, { throwIfNoEntry: false });
    // No other file can have the same inode while this one is open.
    if (this.#open !== null && there?.ino === this.#open.inode) return { ...this.#open, size: there.size };
    this.close();
    const file = openRegular(this.#path, READ_AND_APPEND);
    this.#open = { file, inode: fstatSync(file).ino };
    endLastLine(file);
    return { ...this.#open, size: fstatSync(file).size };
  }

  /** Rotates the file, unless another process is rotating it; the next line then triggers another attempt. */
  #tryPutAside(inode: number): void {
    try {
      this.#putAside(inode);
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
    }
  }

  /** Renames each file to the path of the next age, and removes the oldest; does nothing if already rotated. */
  #putAside(inode: number): void {
    withFileLock(this.#path, (checkHeld) => {
      if (statSync(this.#path, { throwIfNoEntry: false })?.ino !== inode) return;
      checkHeld();
      const nameOf = (age: number): string => pathOfAge(this.#path, age);
      rmSync(nameOf(this.#limits.auditFiles - 1), { force: true });
      for (let age = this.#limits.auditFiles - 2; age >= 0; age -= 1) {
        try {
          renameSync(nameOf(age), nameOf(age + 1));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        }
      }
    });
  }
}

/** Ends the line that a gateway was writing when it was killed, so that the next entry does not become a part of it. */
function endLastLine(file: number): void {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE) writeSync(file, '\n');
}

/** Removes a partial line, so that the next line does not continue it, unless another process has written after it. */
function takeBack(file: number, part: Buffer): void {
  const start = fstatSync(file).size - part.length;
  const end = Buffer.alloc(part.length);
  readSync(file, end, 0, end.length, start);
  if (end.equals(part)) ftruncateSync(file, start);
}
