// The seq of every event of one process, on disk before any reader has it: a later gateway gives the same ones.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Sealed, SeqJournal } from '../keeper/seq-journal.ts';

/** Length of an entry; entry n is that of seq n. */
const ENTRY_BYTES = 24;
const KINDS: readonly Sealed['kind'][] = ['stdout', 'stderr', 'pty', 'exited', 'closed'];
const DENIED = 1;

/** Interval of tries to write entries that the disk has not taken, and their limit: beyond it no more is noted. */
const AGAIN_MS = 1000;
const MOST_LATE = 65_536;

/** A file that is left from another is emptied. */
const ANEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_APPEND;

export class SeqIndex implements SeqJournal {
  readonly #path: string;
  /** Null until the first entry of a process whose file is new. */
  #file: number | null;
  readonly #failed: (error: Error | null) => void;
  readonly #entry = Buffer.alloc(ENTRY_BYTES);
  /** Number of entries of earlier gateways that this one has yet to tell again. */
  #known: number;
  #at: number;
  /** Entries that the disk has not taken. */
  #late: Buffer[] = [];
  #again: NodeJS.Timeout | null = null;
  /** Called when it notes nothing more. */
  onClosed: () => void = () => {};
  #isClosed = false;
  /** True once the end has an entry. */
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

  /** The index of a process that is about to be started: its file is made with the first entry. */
  static begin(path: string, failed: (error: Error | null) => void): SeqIndex {
    return new SeqIndex(path, null, 0, failed);
  }

  /** Opens the file, or makes it. `failed` is called when the disk takes no more, and with null when it has taken all. */
  static open(
    path: string,
    failed: (error: Error | null) => void,
  ): { readonly index: SeqIndex; readonly entries: readonly Sealed[] } {
    const file = openSync(path, 'a+', 0o600);
    const entries = entriesOf(file);
    // A part of an entry, or what follows a damaged one, was told to nobody.
    ftruncateSync(file, entries.length * ENTRY_BYTES);
    return { index: new SeqIndex(path, file, entries.length, failed), entries };
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
    // One that is late holds up those after it.
    const error = this.#late.length > 0 ? null : this.#write(entry);
    if (error) this.#failed(error);
    if (error || this.#late.length > 0) this.#keep(Buffer.from(entry));
    else if (this.#isLast) this.close();
  }

  /** Returns the reason why the disk has not taken it; then nothing is written. */
  #write(bytes: Buffer): Error | null {
    try {
      this.#file ??= openSync(this.#path, ANEW, 0o600);
      if (writeSync(this.#file, bytes) < bytes.length) throw new Error('the disk took only a part');
      this.#at += bytes.length;
      return null;
    } catch (error) {
      try {
        if (this.#file !== null) ftruncateSync(this.#file, this.#at);
      } catch {
        // A part of an entry is cut off by whoever opens the file again.
      }
      return error as Error;
    }
  }

  #keep(entry: Buffer): void {
    if (this.#late.push(entry) > MOST_LATE) this.#late = [];
    if (this.#late.length === 0) this.close();
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

  /** Skips the entries of events that are gone. */
  skip(entries: number): void {
    this.#known -= entries;
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
    // Nobody needs them any more.
    if (this.#late.length > 0) this.#failed(null);
    this.#late = [];
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

function entriesOf(file: number): Sealed[] {
  const bytes = Buffer.alloc(fstatSync(file).size);
  const length = readSync(file, bytes, 0, bytes.length, 0);
  const entries: Sealed[] = [];
  for (let at = 0; at + ENTRY_BYTES <= length; at += ENTRY_BYTES) {
    const entry = bytes.subarray(at, at + ENTRY_BYTES);
    const kind = KINDS[entry.readUInt8(12)];
    if (crc32(entry.subarray(0, 20)) !== entry.readUInt32LE(20) || !kind) break;
    entries.push({
      kind,
      endOffset: entry.readUIntLE(0, 6),
      atMs: entry.readUIntLE(6, 6),
      exitCode: entry.readInt32LE(14),
      sandboxDenied: entry.readUInt8(13) === DENIED,
    });
  }
  return entries;
}
