// Writes the seqs of one process's events to disk before any reader gets them, so that a later gateway assigns the
// same seqs. Events after a failed write reach readers before their seqs are written, since processes are not paused.
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { NotAFile, openRegular, READ_AND_APPEND } from '../host/regular-file.ts';
import type { Sealed, SeqJournal } from '../keeper/seq-journal.ts';

/** Bytes of an entry. Entries belong to consecutive seqs, from 1 on or after those that the first entry summarizes. */
const ENTRY_BYTES = 24;
const KINDS: readonly Sealed['kind'][] = ['stdout', 'stderr', 'pty', 'exited', 'closed'];
const DENIED = 1;
/**
 * Kind of the first entry of a rewritten file, which summarizes the removed entries; it has their number in place of
 * a time.
 */
const EARLIER = 0xff;

/**
 * Interval between retries after a failed write, and maximum number of delayed entries, beyond which the
 * index is closed.
 */
const AGAIN_MS = 1000;
const MOST_LATE = 65_536;

/**
 * Number of bytes at the end of the log whose entries are read and retained, twice the maximum size of a log on disk;
 * and minimum number of entries read and retained, the minimum number of offsets that an `OffsetIndex` stores.
 */
const NEWEST_BYTES = 128 * 1024 * 1024;
const NEWEST = 65_536;
/** Minimum number of bytes that each event takes in the log in addition to its output. */
const RECORD_BYTES = 24;

/**
 * Minimum size at which the file is rewritten without old entries; it must also have doubled since the last rewrite.
 */
const REWRITE_BYTES = 4 * NEWEST * ENTRY_BYTES;

/** Flags that create the file, or truncate one that was left at the same path. */
const ANEW = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;

/** Events whose own entries are no longer known. */
export interface Earlier {
  readonly events: number;
  /** Decoded bytes of all their output. */
  readonly bytes: number;
}
export const NONE_EARLIER: Earlier = { events: 0, bytes: 0 };

export interface NotedEvents {
  readonly earlier: Earlier;
  readonly entries: readonly Sealed[];
}

export class SeqIndex implements SeqJournal {
  readonly #path: string;
  /** Null until the file of a new process is created, and after `close`. */
  #file: number | null;
  readonly #failed: (error: Error | null) => void;
  readonly #entry = Buffer.alloc(ENTRY_BYTES);
  /** Number of entries of earlier gateways whose events have not been added again yet. */
  #known: number;
  #at: number;
  /** Size at which the file is rewritten without old entries. */
  #rewriteAt = REWRITE_BYTES;
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
    { entries, bytes }: { readonly entries: number; readonly bytes: number },
    failed: (error: Error | null) => void,
  ) {
    this.#path = path;
    this.#file = file;
    this.#known = entries;
    this.#at = bytes;
    this.#failed = failed;
  }

  /** Returns the index of a process that is about to start; `prepare` or the first entry creates its file. */
  static begin(path: string, failed: (error: Error | null) => void): SeqIndex {
    return new SeqIndex(path, null, { entries: 0, bytes: 0 }, failed);
  }

  /**
   * Opens or creates the file, and returns the index with the noted events. `failed` is called when a write fails, and
   * with null once all entries are written or `close` has dropped the rest.
   */
  static open(
    path: string,
    failed: (error: Error | null) => void,
  ): { readonly index: SeqIndex } & NotedEvents {
    let file: number;
    try {
      file = openRegular(path, READ_AND_APPEND);
    } catch (error) {
      // The failure is reported when the first new entry is added.
      if (error instanceof NotAFile) {
        return { index: SeqIndex.begin(path, failed), earlier: NONE_EARLIER, entries: [] };
      }
      throw error;
    }
    const { first, earlier } = newestIn(file, fstatSync(file).size);
    const entries = entriesFrom(file, first);
    const bytes = (first + entries.length) * ENTRY_BYTES;
    // Entries from the first incomplete or damaged one on are removed, since no reader has received their events,
    // unless a write had failed.
    ftruncateSync(file, bytes);
    const index = new SeqIndex(path, file, { entries: entries.length, bytes }, failed);
    return { index, earlier, entries };
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

  add(sealed: Sealed): void {
    if (this.#known > 0) {
      this.#known -= 1;
      return;
    }
    if (this.#isClosed) return;
    const entry = this.#entry;
    encode(entry, KINDS.indexOf(sealed.kind), sealed);
    this.#isLast = sealed.kind === 'closed';
    // An entry waits behind an earlier one that was not written, to keep the order.
    const error = this.#late.length > 0 ? null : this.#write(entry);
    if (error) this.#failed(error);
    if (error || this.#late.length > 0) this.#keep(Buffer.from(entry));
    else if (this.#isLast) this.close();
    else if (this.#at >= this.#rewriteAt) this.#rewrite();
  }

  /**
   * Replaces the file with one that has only the entries of output that may still be on disk; a crash leaves one of
   * the two. If that fails, the file grows until the next attempt.
   */
  #rewrite(): void {
    const old = this.#file;
    if (old === null) return;
    const { first, earlier } = newestIn(old, this.#at);
    const path = `${this.#path}.new`;
    let file: number | null = null;
    try {
      const bytes = Buffer.alloc(ENTRY_BYTES + this.#at - first * ENTRY_BYTES);
      encode(bytes, EARLIER, { endOffset: earlier.bytes, atMs: earlier.events });
      const length = bytes.length - ENTRY_BYTES;
      if (readSync(old, bytes, ENTRY_BYTES, length, first * ENTRY_BYTES) < length)
        throw new Error('only part of the index was read');
      file = openRegular(path, ANEW);
      if (writeSync(file, bytes) < bytes.length) throw new Error('only part of the index was written');
      renameSync(path, this.#path);
      closeSync(old);
      this.#file = file;
      this.#at = bytes.length;
    } catch {
      if (file !== null) {
        closeSync(file);
        rmSync(path, { force: true });
      }
    }
    this.#rewriteAt = Math.max(REWRITE_BYTES, 2 * this.#at);
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

/** Returns the entries from index `first` up to the first damaged one. */
function entriesFrom(file: number, first: number): Sealed[] {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - first * ENTRY_BYTES));
  const length = readSync(file, bytes, 0, bytes.length, first * ENTRY_BYTES);
  const entries: Sealed[] = [];
  for (let at = 0; at + ENTRY_BYTES <= length; at += ENTRY_BYTES) {
    const entry = decoded(bytes.subarray(at));
    if (!entry) break;
    entries.push(entry);
  }
  return entries;
}

/**
 * Returns the index of the first entry of output that may still be on disk, and the events before that entry; if an
 * entry that the search needs is damaged, the index of the file's first event.
 */
function newestIn(file: number, size: number): { readonly first: number; readonly earlier: Earlier } {
  const count = Math.floor(size / ENTRY_BYTES);
  const bytes = Buffer.alloc(ENTRY_BYTES);
  // The rest of `bytes` after a short read belongs to the entry that was read before.
  const read = (index: number): Buffer =>
    bytes.subarray(0, readSync(file, bytes, 0, ENTRY_BYTES, index * ENTRY_BYTES));
  const replaced = count > 0 ? decodedEarlier(read(0)) : null;
  const begin = replaced ? 1 : 0;
  const all = { first: begin, earlier: replaced ?? NONE_EARLIER };
  for (let first = count - NEWEST; first > begin; first -= NEWEST) {
    const last = decoded(read(count - 1));
    const before = decoded(read(first - 1));
    if (!last || !before) return all;
    if (last.endOffset - before.endOffset + RECORD_BYTES * (count - first) < NEWEST_BYTES) continue;
    return { first, earlier: { events: all.earlier.events + first - begin, bytes: before.endOffset } };
  }
  return all;
}

function encode(
  entry: Buffer,
  kind: number,
  {
    endOffset,
    atMs,
    exitCode = 0,
    sandboxDenied = false,
  }: Partial<Sealed> & Pick<Sealed, 'endOffset' | 'atMs'>,
): void {
  entry.writeUIntLE(endOffset, 0, 6);
  entry.writeUIntLE(atMs, 6, 6);
  entry.writeUInt8(kind, 12);
  entry.writeUInt8(sandboxDenied ? DENIED : 0, 13);
  entry.writeInt32LE(exitCode, 14);
  entry.writeUInt32LE(crc32(entry.subarray(0, 20)), 20);
}

/** Returns true for an entry that is neither damaged nor incomplete. */
const isSound = (entry: Buffer): boolean =>
  entry.length >= ENTRY_BYTES && crc32(entry.subarray(0, 20)) === entry.readUInt32LE(20);

/** Returns the first entry of `bytes`; null when it is damaged or incomplete, or summarizes removed entries. */
function decoded(bytes: Buffer): Sealed | null {
  if (!isSound(bytes)) return null;
  const kind = KINDS[bytes.readUInt8(12)];
  return kind
    ? {
        kind,
        endOffset: bytes.readUIntLE(0, 6),
        atMs: bytes.readUIntLE(6, 6),
        exitCode: bytes.readInt32LE(14),
        sandboxDenied: bytes.readUInt8(13) === DENIED,
      }
    : null;
}

/** Returns the earlier events that the entry summarizes; null for any other entry, and for a damaged one. */
const decodedEarlier = (entry: Buffer): Earlier | null =>
  isSound(entry) && entry.readUInt8(12) === EARLIER
    ? { events: entry.readUIntLE(6, 6), bytes: entry.readUIntLE(0, 6) }
    : null;
