// Recording of one process: events are queued immediately and written later, in order.
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import type { RecordLimits } from './limits.ts';
import type { OutputCopies } from './output-copies.ts';
import type { RecordingOptions, RecordingStart } from './recording-options.ts';
import { indexPath, segmentName, shortPath } from './places.ts';
import { isOutput, sizeOf, type SegmentHead, type SegmentRecord } from './segment-format.ts';
import { encodeCount, encodeExit, encodeSize, type RecordedExit } from './segment-payloads.ts';
import { numberOf, removeHeadless, segmentPaths, storedBytesOf } from './segment-files.ts';
import { SegmentWriter } from './segment-writer.ts';
import { StoredRecording } from './stored-recording.ts';

const EMPTY = Buffer.alloc(0);
/** Maximum number of events between two `place` records, so that damage cannot shift all later event numbers. */
const PLACE_EVERY = 64;
/** Maximum bytes of payloads per write. */
export const BATCH_BYTES = 1024 * 1024;

const SHORT_BYTES = 64 * 1024;

interface Queued extends SegmentRecord {
  /** Number of the event; null for a record that is not an event. */
  readonly seq: number | null;
  readonly release: () => void;
}

type End = Pick<Awaited<ReturnType<StoredRecording['end']>>, 'nextSeq' | 'offset'>;

interface Segment {
  readonly number: number;
  /** Length of the plain segment. */
  plainBytes: number;
  /** Bytes on disk with the index. */
  storedBytes: number;
  /** True when nothing more can be appended. */
  isSealed: boolean;
}

export class Recording {
  readonly key: string;
  readonly folder: string;
  readonly #limits: RecordLimits;
  readonly #copies: OutputCopies;
  readonly #taken: (bytes: number) => void;
  readonly #finished: () => void;
  #queue: Queued[] = [];
  #queuedBytes = 0;
  #nextSeq = 1;
  #offset = 0;
  /** Payload with the terminal size at the end of the written records. */
  #size: Buffer | null = null;
  #segments: Segment[] = [];
  /** Highest number of a segment file, even of one with a damaged head. */
  #lastNumber = 0;
  #writer: SegmentWriter | null = null;
  #head: SegmentHead | null = null;
  /** Number of events until the next record with an event number. */
  #untilPlace = 0;
  /** Number that a reader would assign to the next event. */
  #expectedSeq = 1;
  #lostBytes = 0;
  /** True until the existing recording of an earlier gateway has been read. */
  #isContinued: boolean;
  /** End of an earlier gateway's recording of the process; null when there is none, or it is not read yet. */
  #recorded: End | null = null;

  /** `start`: the first event to record, and whether an earlier gateway's recording of the process is continued. */
  constructor(key: string, folder: string, start: RecordingStart, options: RecordingOptions) {
    this.key = key;
    this.folder = folder;
    this.#limits = options.limits;
    this.#copies = options.copies;
    this.#taken = options.taken;
    this.#finished = options.finished;
    this.#nextSeq = start.seq;
    this.#offset = start.offset;
    this.#isContinued = start.isContinued;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Bytes on disk, with indexes. */
  get storedBytes(): number {
    return this.#segments.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  }

  /** Returns true for a segment that is not the newest, so that nothing more is appended to it. */
  hasFinished(number: number): boolean {
    return this.#segments.slice(0, -1).some((each) => each.number === number);
  }

  /** Updates the size of a finished segment whose files have changed. */
  measured(number: number, storedBytes: number): void {
    const segment = this.hasFinished(number) && this.#segments.find((each) => each.number === number);
    if (segment) segment.storedBytes = storedBytes;
  }

  /** Bytes of output that were never written, because a write failed, or the disk or the queue had no room. */
  get lostBytes(): number {
    return this.#lostBytes;
  }

  /** Adds output; copies `bytes`. If `hasRoom` is false, the output is only counted as lost. */
  output(stream: Stream, bytes: Buffer, atMs: number, hasRoom: boolean): void {
    if (hasRoom) {
      const copy = this.#copies.copy(bytes);
      this.#add(stream, copy.bytes, atMs, this.#nextSeq, copy.release);
      this.#queuedBytes += bytes.length;
    } else this.#lostBytes += bytes.length;
    this.#offset += bytes.length;
    this.#nextSeq += 1;
  }

  continueAt(seq: number, offset: number): void {
    this.#nextSeq = seq;
    this.#offset = offset;
  }

  resized(size: Size, atMs: number): void {
    this.#add('resize', encodeSize(size), atMs, null);
  }

  exited(exit: RecordedExit, atMs: number): void {
    this.#add('exit', encodeExit(exit), atMs, this.#nextSeq++);
  }

  closed(atMs: number): void {
    this.#add('end', EMPTY, atMs, this.#nextSeq++);
  }

  /**
   * Writes everything queued. Rejects with the disk's error, and counts the output that this write lost. Only
   * one call may be in progress.
   */
  async write(): Promise<void> {
    if (this.#isContinued) await this.#continue();
    if (this.#recorded) this.#dropRecorded(this.#recorded);
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch();
      try {
        await this.#append(batch);
      } catch (error) {
        this.#lostBytes += outputBytes(batch);
        this.#untilPlace = 0;
        throw error;
      } finally {
        this.#done(batch);
      }
    }
  }

  /** True when everything queued fits into the single file of a short recording. */
  get isShort(): boolean {
    return this.#queuedBytes <= SHORT_BYTES;
  }

  /**
   * Writes a whole short recording of an ended process synchronously, because the thread pool would take longer for so
   * little data; `describe` returns its facts. Throws the disk's error, and can then be repeated.
   */
  writeShort(describe: () => string): void {
    const batch = this.#queue;
    const { offset, atMs } = batch.at(-1) ?? { offset: this.#offset, atMs: Date.now() };
    const head = this.#nextHead(batch[0]?.offset ?? offset);
    this.#untilPlace = 0;
    const records = this.#placed(batch);
    this.#segments = [segmentOf(head.segment, sizeOf(records))];
    records.push({ type: 'meta', payload: Buffer.from(describe()), atMs, offset });
    const path = shortPath(this.folder);
    try {
      // The month's folder may be missing.
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      SegmentWriter.writeWhole(path, head, records);
    } catch (error) {
      this.#segments = [];
      throw error;
    }
    this.#queue = [];
    this.#done(batch);
  }

  async closeFile(): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    await writer?.close();
  }

  /** Continues an earlier gateway's recording; repeated by the next write when a step fails. */
  async #continue(): Promise<void> {
    await this.closeFile();
    await removeHeadless(this.folder);
    this.#lastNumber = numberOf((await segmentPaths(this.folder)).at(-1) ?? '');
    const last = (await StoredRecording.open(this.folder)).segments.at(-1);
    this.#writer = last && !last.table ? SegmentWriter.reopen(last.path) : null;
    this.#head = this.#writer?.head ?? null;
    const stored = await StoredRecording.open(this.folder);
    this.#recorded = await stored.end();
    this.#segments = stored.segments.map(({ path, bytes, table }) => ({
      number: numberOf(path),
      plainBytes: bytes,
      storedBytes: storedBytesOf(path),
      isSealed: table !== null,
    }));
    this.#isContinued = false;
  }

  /** Drops queued records that an earlier gateway has recorded; called before each write, as more may have arrived. */
  #dropRecorded({ nextSeq, offset }: End): void {
    const isRecorded = (each: Queued): boolean =>
      each.seq === null ? each.offset < offset : each.seq < nextSeq;
    const passed = this.#queue.filter(isRecorded);
    if (passed.length === 0) return;
    this.#queue = this.#queue.filter((each) => !isRecorded(each));
    this.#done(passed);
    this.#size = passed.findLast(({ type }) => type === 'resize')?.payload ?? this.#size;
  }

  #add(
    type: SegmentRecord['type'],
    payload: Buffer,
    atMs: number,
    seq: number | null,
    release: () => void = () => {},
  ): void {
    this.#queue.push({ type, payload, atMs, offset: this.#offset, seq, release });
  }

  #done(batch: readonly Queued[]): void {
    const bytes = outputBytes(batch);
    this.#queuedBytes -= bytes;
    this.#taken(bytes);
    for (const { release } of batch) release();
  }

  #nextBatch(): readonly Queued[] {
    let bytes = 0;
    const most = Math.min(BATCH_BYTES, this.#limits.recordSegmentBytes);
    const end = this.#queue.findIndex(({ payload }) => (bytes += payload.length) > most);
    return this.#queue.splice(0, end < 0 ? this.#queue.length : Math.max(end, 1));
  }

  async #append(batch: readonly Queued[]): Promise<void> {
    const first = batch[0];
    if (!first) return;
    const last = this.#segments.at(-1);
    const isFull =
      !last || last.isSealed || last.plainBytes + outputBytes(batch) > this.#limits.recordSegmentBytes;
    if (isFull) await this.#begin(first);
    const writer = (this.#writer ??= this.#resumed());
    await writer.append(this.#placed(batch));
    const segment = this.#segments.at(-1);
    if (segment) segment.plainBytes = segment.storedBytes = writer.bytes;
    if (isFull) await this.#dropBeyondLimit();
  }

  async #begin({ offset }: Queued): Promise<void> {
    await this.closeFile();
    const head = this.#nextHead(offset);
    const number = head.segment;
    this.#writer = SegmentWriter.create(join(this.folder, segmentName(number)), head);
    this.#head = head;
    this.#lastNumber = number;
    this.#segments.push(segmentOf(number, this.#writer.bytes));
    this.#untilPlace = 0;
    if (number > 1) this.#finished();
  }

  #nextHead(firstOffset: number): SegmentHead {
    return {
      key: this.key,
      segment: this.#lastNumber + 1,
      firstOffset,
      wallMs: Date.now(),
      monotonicUs: Math.round(performance.now() * 1000),
      salt: Math.floor(Math.random() * 2 ** 32),
    };
  }

  #resumed(): SegmentWriter {
    const segment = this.#segments.at(-1);
    if (!segment || !this.#head) throw new Error('invariant violation: a recording without a segment');
    return SegmentWriter.resume(
      join(this.folder, segmentName(segment.number)),
      this.#head,
      segment.plainBytes,
    );
  }

  /**
   * Returns the batch with the additional records from which a reader can start: event numbers, and the size
   * in a new segment.
   */
  #placed(batch: readonly Queued[]): SegmentRecord[] {
    const records: SegmentRecord[] = [];
    const [{ atMs, offset }] = batch as [Queued];
    if (this.#size && this.#writer?.isEmpty)
      records.push({ type: 'resize', payload: this.#size, atMs, offset });
    for (const record of batch) {
      if (record.type === 'resize') this.#size = record.payload;
      if (record.seq !== null) {
        if (this.#untilPlace === 0 || record.seq !== this.#expectedSeq) {
          records.push({ ...record, type: 'place', payload: encodeCount(record.seq) });
          this.#untilPlace = PLACE_EVERY;
        }
        this.#untilPlace -= 1;
        this.#expectedSeq = record.seq + 1;
      }
      records.push(record);
    }
    return records;
  }

  /** Removes whole segments between the first and the newest bytes until the limit is met. */
  async #dropBeyondLimit(): Promise<void> {
    const { recordFirstBytes, recordProcessBytes } = this.#limits;
    while (this.storedBytes > recordProcessBytes) {
      let before = 0;
      const at = this.#segments.findIndex(({ plainBytes }) => {
        before += plainBytes;
        return before - plainBytes >= recordFirstBytes;
      });
      if (at < 0 || at >= this.#segments.length - 1) return;
      const [gone] = this.#segments.splice(at, 1);
      if (!gone) return;
      const path = join(this.folder, segmentName(gone.number));
      for (const each of [path, indexPath(path)]) await rm(each, { force: true });
    }
  }
}

const segmentOf = (number: number, bytes: number): Segment => ({
  number,
  plainBytes: bytes,
  storedBytes: bytes,
  isSealed: false,
});

const outputBytes = (records: readonly Queued[]): number =>
  records.reduce((sum, { type, payload }) => sum + (isOutput(type) ? payload.length : 0), 0);
