// Appends to one segment, as its only writer: each call writes all of its records, or none.
import {
  close,
  closeSync,
  constants,
  fdatasync,
  ftruncate,
  ftruncateSync,
  openSync,
  unlinkSync,
  writev,
  writevSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { openRegular } from '../host/regular-file.ts';
import { encodeHead, frame, HEAD_BYTES, type SegmentHead, type SegmentRecord } from './segment-format.ts';
import { recoverSegment } from './segment-recovery.ts';

const closeFile = promisify(close);
const syncFile = promisify(fdatasync);
const truncateFile = promisify(ftruncate);

const APPENDING = constants.O_WRONLY | constants.O_APPEND;

/** Error of a partial write, which the writer undoes. */
class ShortWrite extends Error {
  readonly code = 'ENOSPC';
  constructor() {
    super('only part of the data was written: the disk is full, or a quota or file size limit was reached');
  }
}

export class SegmentWriter {
  readonly head: SegmentHead;
  readonly #file: number;
  #bytes: number;

  private constructor(head: SegmentHead, file: number, bytes: number) {
    this.head = head;
    this.#file = file;
    this.#bytes = bytes;
  }

  /**
   * Creates a file of mode 0600 with its first records. Throws when the file exists; throws, and removes the file, when
   * it cannot be written completely.
   */
  static create(path: string, head: SegmentHead, records: readonly SegmentRecord[] = []): SegmentWriter {
    const writer = new SegmentWriter(head, openSync(path, 'ax', 0o600), 0);
    try {
      writer.#writeSync([encodeHead(head), ...frame(records, head.salt)]);
      return writer;
    } catch (error) {
      closeSync(writer.#file);
      unlinkSync(path);
      throw error;
    }
  }

  /**
   * Creates a file of mode 0600 with all of its records, and closes it. Throws when the file exists; throws, and
   * removes the file, when it cannot be written completely.
   */
  static writeWhole(path: string, head: SegmentHead, records: readonly SegmentRecord[]): void {
    closeSync(SegmentWriter.create(path, head, records).#file);
  }

  /** Cuts off everything after a file's last valid record, and continues there; null when its head is invalid. */
  static reopen(path: string): SegmentWriter | null {
    const recovered = recoverSegment(path);
    if (!recovered) return null;
    return new SegmentWriter(recovered.head, openRegular(path, APPENDING), recovered.bytes);
  }

  /** Continues a closed file of this length, to which nothing else has written since; throws when it is missing. */
  static resume(path: string, head: SegmentHead, bytes: number): SegmentWriter {
    return new SegmentWriter(head, openRegular(path, APPENDING), bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** True when the segment has a head but no records. */
  get isEmpty(): boolean {
    return this.#bytes === HEAD_BYTES;
  }

  /** Appends synchronously. Throws on failure, and leaves the file unchanged. */
  appendSync(records: readonly SegmentRecord[]): void {
    if (records.length > 0) this.#writeSync(frame(records, this.head.salt));
  }

  /**
   * Appends like `appendSync`, but in the thread pool. Until the promise settles, payloads must not change, and no
   * other call is allowed.
   */
  async append(records: readonly SegmentRecord[]): Promise<void> {
    if (records.length === 0) return;
    const buffers = frame(records, this.head.salt);
    const expected = lengthOf(buffers);
    try {
      if ((await writeAll(this.#file, buffers)) < expected) throw new ShortWrite();
      this.#bytes += expected;
    } catch (error) {
      await truncateFile(this.#file, this.#bytes);
      throw error;
    }
  }

  /** Resolves when everything appended has reached the disk. */
  sync(): Promise<void> {
    return syncFile(this.#file);
  }

  close(): Promise<void> {
    return closeFile(this.#file);
  }

  #writeSync(buffers: readonly Buffer[]): void {
    const expected = lengthOf(buffers);
    try {
      if (writevSync(this.#file, buffers) < expected) throw new ShortWrite();
      this.#bytes += expected;
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
  }
}

const lengthOf = (buffers: readonly Buffer[]): number => buffers.reduce((sum, { length }) => sum + length, 0);

function writeAll(file: number, buffers: readonly Buffer[]): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(file, buffers, (error, written) => (error ? reject(error) : resolve(written)));
  });
}
