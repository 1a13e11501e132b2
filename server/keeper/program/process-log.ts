// Log of one process on disk: segments that only the keeper appends to, and readers from any position.
import { randomInt } from 'node:crypto';
import { closeSync, constants, mkdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  HEAD_BYTES,
  isOutput,
  recordsIn,
  type PlacedRecord,
  type RecordType,
  type SegmentHead,
} from '../../record/segment-format.ts';
import { encodeSize } from '../../record/segment-payloads.ts';
import { SegmentWriter } from '../../record/segment-writer.ts';
import type { Size } from '../../../protocol/scalars.ts';
import { openRegular } from '../../host/regular-file.ts';

/** Size at which a new segment is started; only whole segments are evicted. */
const SEGMENT_BYTES = 4 * 1024 * 1024;
/** Bytes read from a file at once; more than the largest record that a keeper appends. */
const READ_BYTES = 512 * 1024;

interface Segment {
  readonly path: string;
  readonly head: SegmentHead;
  /** Length of the file. */
  bytes: number;
}

export interface Place {
  readonly segment: number;
  readonly at: number;
}

/** State with which the next program resumes the log. */
export interface LogState {
  readonly segments: readonly Omit<Segment, 'path'>[];
  readonly endOffset: number;
  readonly size: Size | null;
}

export class ProcessLog {
  readonly #folder: string;
  readonly #key: string;
  #segments: Segment[];
  #writer: SegmentWriter;
  #endOffset: number;
  #size: Size | null;

  private constructor(folder: string, key: string, { segments, endOffset, size }: LogState) {
    this.#folder = folder;
    this.#key = key;
    this.#size = size;
    this.#endOffset = endOffset;
    this.#segments = segments.map((each) => ({ ...each, path: this.#pathOf(each.head.segment) }));
    const last = this.#segments.at(-1);
    this.#writer = last ? SegmentWriter.resume(last.path, last.head, last.bytes) : this.#open();
  }

  /** Creates the folder with the first segment; throws when the disk write fails. */
  static create(folder: string, key: string, size: Size | null): ProcessLog {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new ProcessLog(folder, key, { segments: [], endOffset: 0, size });
  }

  /** Resumes a log to which nothing was appended since `state` was taken; throws when its last segment is missing. */
  static resume(folder: string, key: string, state: LogState): ProcessLog {
    return new ProcessLog(folder, key, state);
  }

  get state(): LogState {
    const segments = this.#segments.map(({ head, bytes }) => ({ head, bytes }));
    return { segments, endOffset: this.#endOffset, size: this.#size };
  }

  /** Decoded bytes of all output. */
  get endOffset(): number {
    return this.#endOffset;
  }

  /** Current size of the terminal; null without one. */
  get size(): Size | null {
    return this.#size;
  }

  /** Decoded bytes before the oldest retained segment. */
  get firstOffset(): number {
    return this.#segments[0]?.head.firstOffset ?? 0;
  }

  /** Total length of the files of all segments. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Position of the next record. */
  get place(): Place {
    const { head, bytes } = this.#last;
    return { segment: head.segment, at: bytes };
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Appends one record; appends nothing when it throws. */
  append(type: RecordType, atMs: number, payload: Buffer): void {
    if (this.#last.bytes >= SEGMENT_BYTES) {
      const former = this.#writer;
      this.#writer = this.#open();
      void former.close();
    }
    this.#writer.appendSync([{ type, atMs, offset: this.#endOffset, payload }]);
    this.#last.bytes = this.#writer.bytes;
    if (isOutput(type)) this.#endOffset += payload.length;
  }

  /** Sets the current terminal size, with which later segments begin. */
  resized(size: Size): void {
    this.#size = size;
  }

  /**
   * Evicts the oldest segment and returns true, if another segment follows and all output of the oldest is before
   * `offset`; otherwise returns false.
   */
  dropBefore(offset: number): boolean {
    const [oldest, next] = this.#segments;
    if (!oldest || !next || next.head.firstOffset > offset) return false;
    this.#segments.shift();
    rmSync(oldest.path, { force: true });
    return true;
  }

  readerAt(place: Place): LogReader {
    return new LogReader(this, place);
  }

  /**
   * Returns a reader from the start of the segment that contains `offset`; from the oldest segment if that one was
   * evicted.
   */
  readerFrom(offset: number): LogReader {
    const segment = this.#segments.findLast(({ head }) => head.firstOffset <= offset) ?? this.#segments[0];
    return new LogReader(this, { segment: segment?.head.segment ?? 1, at: HEAD_BYTES });
  }

  close(): void {
    void this.#writer.close();
  }

  /** Removes the log with its folder. */
  remove(): void {
    this.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #last(): Segment {
    const last = this.#segments.at(-1);
    if (!last) throw new Error('invariant violation: a log without a segment');
    return last;
  }

  #pathOf(segment: number): string {
    return join(this.#folder, `${String(segment).padStart(8, '0')}.xcr`);
  }

  #open(): SegmentWriter {
    const segment = (this.#segments.at(-1)?.head.segment ?? 0) + 1;
    const path = this.#pathOf(segment);
    const head: SegmentHead = {
      key: this.#key,
      segment,
      firstOffset: this.#endOffset,
      wallMs: Date.now(),
      monotonicUs: Math.round(performance.now() * 1000),
      salt: randomInt(2 ** 32),
    };
    const at = { atMs: head.wallMs, offset: head.firstOffset };
    // Each segment begins with the terminal size, for readers that do not have the earlier segments.
    const writer = SegmentWriter.create(
      path,
      head,
      this.#size ? [{ type: 'resize', payload: encodeSize(this.#size), ...at }] : [],
    );
    this.#segments.push({ path, head, bytes: writer.bytes });
    return writer;
  }
}

export class LogReader {
  readonly #log: ProcessLog;
  #segment: number;
  /** Position in the segment's file at which reading continues. */
  #at: number;
  #records: PlacedRecord[] = [];
  #next = 0;

  constructor(log: ProcessLog, { segment, at }: Place) {
    this.#log = log;
    this.#segment = segment;
    this.#at = at;
  }

  /** Returns the next record, or null at the current end. */
  next(): PlacedRecord | null {
    for (;;) {
      const record = this.#records[this.#next];
      if (record) {
        this.#next += 1;
        return record;
      }
      if (!this.#fill()) return null;
    }
  }

  #fill(): boolean {
    const { segments } = this.#log;
    let segment = segments.find(({ head }) => head.segment >= this.#segment);
    if (segment && segment.head.segment === this.#segment && this.#at >= segment.bytes) {
      segment = segments.find(({ head }) => head.segment > this.#segment);
    }
    if (!segment) return false;
    if (segment.head.segment !== this.#segment) {
      this.#segment = segment.head.segment;
      this.#at = HEAD_BYTES;
    }
    const length = Math.min(segment.bytes - this.#at, READ_BYTES);
    // A part of a segment is parsed as if the segment began there.
    const bytes = Buffer.allocUnsafe(HEAD_BYTES + length);
    const file = openRegular(segment.path, constants.O_RDONLY);
    try {
      readSync(file, bytes, HEAD_BYTES, length, this.#at);
    } finally {
      closeSync(file);
    }
    this.#records = [];
    this.#next = 0;
    let end = HEAD_BYTES;
    for (const record of recordsIn(bytes, segment.head)) {
      // A damaged record is skipped; one that is cut off at the end of this part is read with the next part.
      if (record.type === 'damage') continue;
      this.#records.push(record);
      end = record.end;
    }
    // A part without any valid record is skipped.
    this.#at += this.#records.length > 0 ? end - HEAD_BYTES : length;
    return true;
  }
}
