// Writes the seqs of one process's events to disk before any reader gets them, so that a later gateway assigns
// the same. Events after a failed write reach readers before their seqs are written, since processes go on.
import { closeSync, constants, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { NotAFile, openRegular, READ_AND_APPEND } from '../host/regular-file.ts';
import type { Sealed, SeqJournal } from '../keeper/seq-journal.ts';

/** Bytes of an entry; entry n belongs to seq n. */
const ENTRY_BYTES = 24;
const KINDS: readonly Sealed['kind'][] = ['stdout', 'stderr', 'pty', 'exited', 'closed'];
const DENIED = 1;

/**
 * Interval between retries after a failed write, and maximum number of delayed entries, beyond which the
 * index is closed.
 */
const AGAIN_MS = 1000;
const MOST_LATE = 65_536;

/**
 * Newest output whose entries are read, twice what a log has on disk, and the minimum number of entries, as many as
 * an `OffsetIndex` has offsets.
 */
const NEWEST_BYTES = 128 * 1024 * 1024;
const NEWEST = 65_536;

/** Flags that create the file, or truncate one that was left at the same path. */
const ANEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;

export class SeqIndex implements SeqJournal {
  readonly #path: string;
  /** Null until the file of a new process is created. */
  #file: number | null;
  readonly #failed: (error: Error | null) => void;
  readonly #entry = Buffer.alloc(ENTRY_BYTES);
  /** Number of entries of earlier gateways whose events have not been added again yet. */
  #known: number;
  #at: number;
  /** True when the last write failed, so that the file may end with an incomplete entry. */
  #isTorn = false;
  /** Entries that could not be written yet. */
  #late: Buffer[] = [];
  #again: NodeJS.Timeout | null = null;
  onClosed: () => void = () => {};
  #isClosed = false;
  /** True once the `closed` event has an entry. */
  #isLast = false;

  private constructor(
    path: string,
    file: number | null,
    entries: number,
    failed: (error: Error | null) => void,
  ) {
    this.#path = path;
    this.#file = file;
    this.#known = entries;
    this.#at = entries * ENTRY_BYTES;
    this.#failed = failed;
  }

  /** Returns the index of a process that is about to start; `prepare` or the first entry creates its file. */
  static begin(path: string, failed: (error: Error | null) => void): SeqIndex {
    return new SeqIndex(path, null, 0, failed);
  }

  /**
   * Opens or creates the file, and returns the index with its entries. `failed` is called when a write fails,
   * and with null once all entries are written.
   */
  static open(
    path: string,
    failed: (error: Error | null) => void,
  ): { readonly index: SeqIndex; readonly entries: readonly Sealed[] } {
    let file: number;
    try {
      file = openRegular(path, READ_AND_APPEND);
    } catch (error) {
      // The failure is reported when the first new entry is added.
      if (error instanceof NotAFile) return { index: SeqIndex.begin(path, failed), entries: [] };
      throw error;
    }
    const entries = entriesOf(file);
    // No reader has received the events of an incomplete entry or of entries after a damaged one, unless a write had
    // failed.
    ftruncateSync(file, entries.length * ENTRY_BYTES);
    return { index: new SeqIndex(path, file, entries.length, failed), entries };
  }

  /** Creates the file before the first entry, while no request is waiting. */
  prepare(): void {
    if (this.#isClosed) return;
    try {
      this.#file ??= openRegular(this.#path, ANEW);
    } catch {
      // A failure that persists is reported when the first entry is added.
    }
  }

  add({ kind, endOffset, atMs, exitCode, sandboxDenied }: Sealed): void {
    if (this.#known > 0) {
      this.#known -= 1;
      return;
    }
    if (this.#isClosed) return;
    const entry = this.#entry;
    entry.writeUIntLE(endOffset, 0, 6);
    entry.writeUIntLE(atMs, 6, 6);
    entry.writeUInt8(KINDS.indexOf(kind), 12);
    entry.writeUInt8(sandboxDenied ? DENIED : 0, 13);
    entry.writeInt32LE(exitCode, 14);
    entry.writeUInt32LE(crc32(entry.subarray(0, 20)), 20);
    this.#isLast = kind === 'closed';
    // An entry waits behind an earlier one that was not written, to keep the order.
    const error = this.#late.length > 0 ? null : this.#write(entry);
    if (error) this.#failed(error);
    if (error || this.#late.length > 0) this.#keep(Buffer.from(entry));
    else if (this.#isLast) this.close();
  }

  /**
   * Writes entries; returns the error of a failed write, or else null. An incomplete entry is cut off before the next
   * write, or by the next `open`.
   */
  #write(bytes: Buffer): Error | null {
    try {
      this.#file ??= openRegular(this.#path, ANEW);
      if (this.#isTorn) ftruncateSync(this.#file, this.#at);
      this.#isTorn = true;
      if (writeSync(this.#file, bytes) < bytes.length)
        throw new Error('only part of the index was written; the disk may be full');
      this.#isTorn = false;
      this.#at += bytes.length;
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  #keep(entry: Buffer): void {
    if (this.#late.push(entry) > MOST_LATE) this.close();
    else this.#again ??= setTimeout(() => this.#writeLate(), AGAIN_MS).unref();
  }

  #writeLate(): void {
    this.#again = null;
    if (this.#write(Buffer.concat(this.#late))) {
      this.#again = setTimeout(() => this.#writeLate(), AGAIN_MS).unref();
      return;
    }
    this.#late = [];
    this.#failed(null);
    if (this.#isLast) this.close();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onClosed();
    if (this.#again) clearTimeout(this.#again);
    this.#again = null;
    // Closing drops the delayed entries, so the write failure is resolved.
    if (this.#late.length > 0) this.#failed(null);
    this.#late = [];
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

/**
 * Returns all entries up to the first damaged one. Those of output that is surely no longer on disk are not read, and
 * replaced by one that ends where the first entry that is read does.
 */
function entriesOf(file: number): Sealed[] {
  const count = Math.floor(fstatSync(file).size / ENTRY_BYTES);
  const first = firstOfNewest(file, count);
  const bytes = Buffer.alloc((count - first) * ENTRY_BYTES);
  const length = readSync(file, bytes, 0, bytes.length, first * ENTRY_BYTES);
  const entries: Sealed[] = [];
  const endOffset = decoded(bytes, 0)?.endOffset ?? 0;
  const old: Sealed = { kind: 'stdout', endOffset, atMs: 0, exitCode: 0, sandboxDenied: false };
  for (let seq = 0; seq < first; seq += 1) entries.push(old);
  for (let at = 0; at + ENTRY_BYTES <= length; at += ENTRY_BYTES) {
    const entry = decoded(bytes, at);
    if (!entry) break;
    entries.push(entry);
  }
  return entries;
}

/** Returns the index of the first entry to read; 0 where an entry that decides it is damaged. */
function firstOfNewest(file: number, count: number): number {
  const entry = Buffer.alloc(ENTRY_BYTES);
  const entryAt = (index: number): Sealed | null => {
    readSync(file, entry, 0, ENTRY_BYTES, index * ENTRY_BYTES);
    return decoded(entry, 0);
  };
  for (let first = count - NEWEST; first > 0; first -= NEWEST) {
    const [here, last] = [entryAt(first), entryAt(count - 1)];
    if (!here || !last) return 0;
    if (here.endOffset <= last.endOffset - NEWEST_BYTES) return first;
  }
  return 0;
}

/** Returns the entry at this position; null when it is damaged or incomplete. */
function decoded(bytes: Buffer, at: number): Sealed | null {
  const entry = bytes.subarray(at, at + ENTRY_BYTES);
  if (entry.length < ENTRY_BYTES || crc32(entry.subarray(0, 20)) !== entry.readUInt32LE(20)) return null;
  const kind = KINDS[entry.readUInt8(12)];
  return kind
    ? {
        kind,
        endOffset: entry.readUIntLE(0, 6),
        atMs: entry.readUIntLE(6, 6),
        exitCode: entry.readInt32LE(14),
        sandboxDenied: entry.readUInt8(13) === DENIED,
      }
    : null;
}
