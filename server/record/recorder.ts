// Records the output of processes: it is collected briefly and written in the background.
import { mkdir } from 'node:fs/promises';
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import { appendLinesAsync } from '../host/regular-file.ts';
import { Catalog } from './catalog.ts';
import { EarlierRecordings } from './earlier-recordings.ts';
import { Flush } from './flush.ts';
import {
  endedSource,
  liveRecording,
  storedMetaOf,
  type LiveRecording,
  type Source,
} from './live-recording.ts';
import { DISK_IS_LOW, notRecorded } from './not-recorded.ts';
import { OpenFiles } from './open-files.ts';
import { OutputCopies } from './output-copies.ts';
import { folderOf, marksPath, monthOf } from './places.ts';
import { QueueHolds } from './queue-holds.ts';
import { BATCH_BYTES, Recording } from './recording.ts';
import type { RecordingStart } from './recording-options.ts';
import type { RecorderOptions } from './recorder-options.ts';
import { removeNote, writeNote } from './recover.ts';
import { Replacing } from './replacing.ts';
import { Retention } from './retention.ts';
import type { RecordedExit } from './segment-payloads.ts';
import { readMeta, replaceMeta, type StoredMeta } from './stored-meta.ts';
import { UnfinishedEnds } from './unfinished-ends.ts';

export class Recorder {
  readonly catalog: Catalog;
  readonly retention: Retention;
  readonly replacing: Replacing;
  readonly #options: RecorderOptions;
  readonly #live = new Map<string, LiveRecording>();
  readonly #flush: Flush<LiveRecording>;
  readonly #open: OpenFiles<LiveRecording>;
  #queuedBytes = 0;
  readonly #holds: QueueHolds;
  readonly #unfinished: UnfinishedEnds<LiveRecording>;
  readonly #copies = new OutputCopies();
  /**
   * Resolves when all ended recordings have passed their entries to the catalogue, or have failed. Entries are written
   * in the order in which processes ended, however long a write takes; only those of failed recordings follow later.
   */
  #lastTurn = Promise.resolve();
  #isClosed = false;
  #segmentFinished: (folder: string) => void = () => {};
  readonly #earlier: EarlierRecordings;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.catalog = new Catalog(options.root);
    this.retention = new Retention({
      root: options.root,
      catalog: this.catalog,
      limits: options.limits,
      isLive: (key) => this.#live.has(key),
      liveKeys: () => new Set(this.#live.keys()),
      liveBytes: () => this.#liveBytes,
      changed: () => this.#report(null),
    });
    this.replacing = new Replacing({
      root: options.root,
      liveRecording: (key) => this.#live.get(key)?.recording,
      isRemoving: (key) => this.retention.isRemoving(key),
    });
    this.#holds = new QueueHolds(options.limits);
    this.#open = new OpenFiles(options.limits.recordOpenFiles);
    this.#flush = new Flush(options.limits.recordFlushMs, (due) => this.#writeAll(due));
    this.#unfinished = new UnfinishedEnds(
      options.limits.recordLowLookMs,
      (live) => this.#writeNext(live),
      (live) => this.#forget(live),
    );
    this.#earlier = new EarlierRecordings({
      ...options,
      catalog: this.catalog,
      replacing: this.replacing,
      retention: this.retention,
      isLive: (key) => this.#live.has(key),
      failed: (error) => this.#report(error),
    });
  }

  get root(): string {
    return this.#options.root;
  }

  /** Resolves when the recovery of unfinished recordings of earlier gateways has ended, even if it failed. */
  get ready(): Promise<void> {
    return this.#earlier.ready;
  }

  /** Resolves when the recordings of earlier gateways that had no entry in the catalogue have one. */
  listed(): Promise<void> {
    return this.#earlier.listed();
  }

  /** Calls the listener with the folder of a recording when one of its segments has been finished. */
  onSegment(listener: (folder: string) => void): void {
    this.#segmentFinished = listener;
  }

  begin(key: string, startedAtMs: number, source: Source, start: RecordingStart): void {
    const { root, limits } = this.#options;
    const folder = folderOf(root, monthOf(startedAtMs), key);
    const options = {
      limits,
      copies: this.#copies,
      taken: (bytes: number) => this.#taken(bytes),
      finished: () => this.#segmentFinished(folder),
    };
    const recording = new Recording(key, folder, start, options);
    this.#live.set(key, liveRecording(recording, startedAtMs, source, start.isContinued));
    this.#changed(key);
  }

  /** Adds output in order; copies `bytes`, or only counts them if the disk or the queue has no room. */
  output(key: string, stream: Stream, bytes: Buffer, atMs: number): void {
    const live = this.#changed(key);
    if (!live) return;
    const { recordQueueBytes } = this.#options.limits;
    const hasRoom = !this.retention.isDiskLow && this.#queuedBytes + bytes.length <= recordQueueBytes;
    if (hasRoom) this.#queuedBytes += bytes.length;
    this.#holds.queued(this.#queuedBytes, key, live.source.hold);
    live.recording.output(stream, bytes, atMs, hasRoom);
    live.endedAtMs = atMs;
    // A flood is written while its bytes are still in the processor's cache, which also frees the memory
    // early.
    if (live.recording.queuedBytes >= BATCH_BYTES) this.#writeNext(live);
  }

  /** Sets the seq and the offset of the next event after a gap. */
  continuesAt(key: string, seq: number, offset: number): void {
    this.#live.get(key)?.recording.continueAt(seq, offset);
  }

  /** Schedules the collection of new output. */
  printed(key: string): void {
    this.#changed(key);
  }

  resized(key: string, size: Size, atMs: number): void {
    this.#changed(key)?.recording.resized(size, atMs);
  }

  exited(key: string, exit: RecordedExit, atMs: number): void {
    this.#changed(key)?.recording.exited(exit, atMs);
  }

  /** Adds a mark for replays, such as an act of a person; ignored once the process is closed. */
  mark(key: string, mark: object): void {
    if (this.#live.get(key)?.isOver) return;
    this.#changed(key)?.marks.push(`${JSON.stringify(mark)}\n`);
  }

  /** Ends the recording of a closed process; its catalogue entry follows. */
  closed(key: string, atMs: number): void {
    const live = this.#changed(key);
    if (!live) return;
    live.recording.closed(atMs);
    live.endedAtMs = atMs;
    live.isOver = true;
    live.turn = this.#lastTurn;
    this.#lastTurn = new Promise((resolve) => (live.giveTurn = () => resolve(live.turn)));
    this.#flush.ended();
  }

  /** Bytes of all recordings on disk. */
  get storedBytes(): number {
    return this.retention.storedBytes + this.#liveBytes;
  }

  /** Returns true while a process is recorded, until its catalogue entry is written. */
  isLive(key: string): boolean {
    return this.#live.has(key);
  }

  /** Returns the bytes of a live recording on disk; null if the process is not being recorded. */
  recordedBytes(key: string): number | null {
    return this.#live.get(key)?.recording.storedBytes ?? null;
  }

  /** Resolves when all output added to this recording so far has been written, or the write has failed. */
  async flushed(key: string): Promise<void> {
    const live = this.#live.get(key);
    if (!live) return;
    this.#writeAll([live]);
    await live.work;
  }

  /** Writes everything and finishes open recordings; with `isLeft` they stay open for a later gateway. */
  async close(isLeft = false): Promise<void> {
    this.#isClosed = true;
    this.retention.close();
    this.#unfinished.close();
    await this.#earlier.close();
    const all = [...this.#live.values()];
    if (!isLeft) for (const live of all) live.isOver = true;
    this.#writeAll(all);
    this.#flush.close();
    this.#holds.release();
    await Promise.all(all.map(({ work }) => work));
  }

  get #liveBytes(): number {
    return [...this.#live.values()].reduce((sum, { recording }) => sum + recording.storedBytes, 0);
  }

  #changed(key: string): LiveRecording | undefined {
    const live = this.#live.get(key);
    if (!live) return undefined;
    this.#flush.changed(live);
    return live;
  }

  #writeAll(all: readonly LiveRecording[]): void {
    for (const { source } of all) source.gather();
    for (const live of all) this.#writeNext(live);
  }

  #writeNext(live: LiveRecording): void {
    if (live.isWriteDue) return;
    live.isWriteDue = true;
    live.work = live.work.then(() => this.#write(live));
  }

  async #write(live: LiveRecording): Promise<void> {
    const { recording } = live;
    live.isWriteDue = false;
    // The recording was finished by an earlier write.
    if (!this.#live.has(recording.key)) return;
    const isLast = live.isOver;
    try {
      if (live.isContinued && !live.isPrepared) {
        const meta = await readMeta(recording.folder);
        if (meta && meta.endedAtMs !== null) return await this.#listFinished(live, meta);
      }
      if (isLast && !live.isNoted && recording.isShort && live.marks.length === 0)
        return await this.#finishShort(live);
      if (!live.isPrepared) await this.#prepareFolder(live);
      const oldest = this.#open.used(live);
      if (oldest) oldest.work = oldest.work.then(() => oldest.recording.closeFile());
      await recording.write();
      const count = live.marks.length;
      if (count > 0) await appendLinesAsync(marksPath(recording.folder), live.marks.join(''));
      live.marks.splice(0, count);
      if (isLast) await this.#finish(live);
      this.#report(null);
    } catch (error) {
      this.#report(error);
      if (isLast) this.#finishLater(live);
    }
  }

  /** Retries the end of a recording later, unless the recorder is closed; entries of other processes do not wait. */
  #finishLater(live: LiveRecording): void {
    live.giveTurn();
    if (this.#isClosed) {
      this.#forget(live);
      return;
    }
    live.source = endedSource(live.source);
    this.#unfinished.add(live);
  }

  #taken(bytes: number): void {
    this.#queuedBytes -= bytes;
    this.#holds.written(this.#queuedBytes);
  }

  async #prepareFolder(live: LiveRecording): Promise<void> {
    const { root } = this.#options;
    const owner = this.#options.owner();
    const { recording, startedAtMs } = live;
    live.isNoted = true;
    await mkdir(recording.folder, { recursive: true, mode: 0o700 });
    const meta = storedMetaOf(live, null);
    // The facts are first written to the folder: the note may have their only copy, and is not replaced atomically.
    if (live.isContinued) await replaceMeta(recording.folder, JSON.stringify(meta));
    await writeNote(root, recording.key, { owner, month: monthOf(startedAtMs), meta });
    live.isPrepared = true;
  }

  /** Finishes a short recording without a note, because its catalogue entry follows immediately. */
  async #finishShort(live: LiveRecording): Promise<void> {
    if (live.entry === null) {
      let text = '';
      live.recording.writeShort(() => (text = JSON.stringify(storedMetaOf(live, live.endedAtMs))));
      live.entry = text;
    }
    await this.#list(live, live.entry);
    this.#over(live, live.recording.storedBytes);
    this.#report(null);
  }

  async #finish(live: LiveRecording): Promise<void> {
    const { recording, endedAtMs } = live;
    await recording.closeFile();
    const meta = storedMetaOf(live, endedAtMs);
    const text = JSON.stringify(meta);
    await replaceMeta(recording.folder, text);
    await this.#list(live, text);
    await removeNote(this.#options.root, recording.key);
    this.#over(live, meta.recordedBytes);
    this.#segmentFinished(recording.folder);
  }

  /** Adds the entry of a recording that an earlier gateway has finished, unless that gateway has added it. */
  async #listFinished(live: LiveRecording, meta: StoredMeta): Promise<void> {
    const isListed = await this.catalog.has(meta);
    await this.#list(live, isListed ? null : JSON.stringify(meta));
    await removeNote(this.#options.root, live.recording.key);
    if (isListed) this.#forget(live);
    else this.#over(live, meta.recordedBytes);
  }

  /** Adds the entry to the catalogue when its turn comes; null means that the catalogue already has it. */
  async #list(live: LiveRecording, entry: string | null): Promise<void> {
    await live.turn;
    const written = entry === null || live.isListed ? null : this.catalog.add(live.startedAtMs, entry);
    live.giveTurn();
    await written;
    live.isListed = true;
  }

  /** `recordedBytes`: as in the catalogue entry, since sealing a segment may have changed the current size. */
  #over(live: LiveRecording, recordedBytes: number): void {
    this.#forget(live);
    this.retention.added(recordedBytes);
  }

  #forget(live: LiveRecording): void {
    live.giveTurn();
    this.#taken(live.recording.queuedBytes);
    this.#holds.forget(live.recording.key);
    this.#open.closed(live);
    this.#live.delete(live.recording.key);
    void live.recording.closeFile().catch(() => {});
  }

  /** Reports a failure; with null, reports that recording works, or that the disk is nearly full. */
  #report(error: unknown): void {
    if (this.#isClosed) return;
    if (error !== null) this.#options.failed(notRecorded(error as NodeJS.ErrnoException));
    else this.#options.failed(this.retention.isDiskLow ? DISK_IS_LOW : null);
  }
}
