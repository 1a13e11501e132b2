// Records the output of processes: it is collected briefly and written in the background.
import { appendFile, mkdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import { Catalog } from './catalog.ts';
import { Flush } from './flush.ts';
import type { Kept, Source } from './kept.ts';
import { DISK_IS_LOW, notRecorded } from './not-recorded.ts';
import { OpenFiles } from './open-files.ts';
import { OutputCopies } from './output-copies.ts';
import { folderOf, marksPath, monthOf, openFolder } from './places.ts';
import { QueueHolds } from './queue-holds.ts';
import { BATCH_BYTES, Recording, type RecordingStart } from './recording.ts';
import type { RecorderOptions } from './recorder-options.ts';
import { recoverUnfinished, type OpenNote } from './recover.ts';
import { Replacing } from './replacing.ts';
import { Retention } from './retention.ts';
import type { RecordedExit } from './segment-payloads.ts';
import { readMeta, replaceMeta, type StoredMeta } from './stored-meta.ts';

export class Recorder {
  readonly catalog: Catalog;
  readonly retention: Retention;
  readonly replacing: Replacing;
  readonly #options: RecorderOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #flush: Flush<Kept>;
  readonly #open: OpenFiles<Kept>;
  #queuedBytes = 0;
  readonly #holds: QueueHolds;
  readonly #copies = new OutputCopies();
  /**
   * Resolves when the last ended process has its catalogue entry; entries are in order of ends, however long
   * a write takes.
   */
  #lastTurn = Promise.resolve();
  #isClosed = false;
  #segmentFinished: (folder: string) => void = () => {};
  readonly #ready: Promise<void>;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.catalog = new Catalog(options.root);
    this.retention = new Retention({
      root: options.root,
      catalog: this.catalog,
      limits: options.limits,
      isLive: (key) => this.#kept.has(key),
      liveKeys: () => new Set(this.#kept.keys()),
      liveBytes: () => this.#liveBytes,
      changed: () => this.#report(null),
    });
    this.replacing = new Replacing({
      root: options.root,
      liveRecording: (key) => this.#kept.get(key)?.recording,
      isRemoving: (key) => this.retention.isRemoving(key),
    });
    this.#holds = new QueueHolds(options.limits);
    this.#open = new OpenFiles(options.limits.recordOpenFiles);
    this.#flush = new Flush(options.limits.recordFlushMs, (due) => this.#writeAll(due));
    this.#ready = this.#prepare();
  }

  get root(): string {
    return this.#options.root;
  }

  /** Resolves when the unfinished recordings of earlier gateways are in the catalogue. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Calls the listener with the folder of a recording when one of its segments has been finished. */
  onSegment(listener: (folder: string) => void): void {
    this.#segmentFinished = listener;
  }

  /** Starts recording a process. */
  begin(key: string, startedAtMs: number, source: Source, start: RecordingStart): void {
    const { root, limits } = this.#options;
    const folder = folderOf(root, monthOf(startedAtMs), key);
    const options = {
      limits,
      copies: this.#copies,
      taken: (bytes: number) => this.#taken(bytes),
      finished: () => this.#segmentFinished(folder),
    };
    this.#kept.set(key, {
      recording: new Recording(key, folder, start, options),
      startedAtMs,
      source,
      isContinued: start.isContinued,
      marks: [],
      beganMs: performance.now(),
      isPrepared: false,
      isNoted: start.isContinued,
      isOver: false,
      endedAtMs: startedAtMs,
      work: Promise.resolve(),
      isWriteDue: false,
      turn: Promise.resolve(),
      giveTurn: () => {},
    });
    this.#changed(key);
  }

  /** Adds output in order; copies `bytes`. */
  output(key: string, stream: Stream, bytes: Buffer, atMs: number): void {
    const kept = this.#changed(key);
    if (!kept) return;
    const { recordQueueBytes } = this.#options.limits;
    const isKept = !this.retention.isDiskLow && this.#queuedBytes + bytes.length <= recordQueueBytes;
    if (isKept) this.#queuedBytes += bytes.length;
    this.#holds.queued(this.#queuedBytes, key, kept.source.hold);
    kept.recording.output(stream, bytes, atMs, isKept);
    kept.endedAtMs = atMs;
    // A flood is written while its bytes are still in the processor's cache, which also frees the memory
    // early.
    if (kept.recording.queuedBytes >= BATCH_BYTES) this.#writeNext(kept);
  }

  /** Sets the seq and the offset of the next event after a gap. */
  continuesAt(key: string, seq: number, offset: number): void {
    this.#kept.get(key)?.recording.continueAt(seq, offset);
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

  /** Adds a mark for a later search, such as an act of a person. */
  mark(key: string, mark: object): void {
    this.#changed(key)?.marks.push(`${JSON.stringify(mark)}\n`);
  }

  /** Ends the recording of a closed process; its catalogue entry follows. */
  closed(key: string, atMs: number): void {
    const kept = this.#changed(key);
    if (!kept) return;
    kept.recording.closed(atMs);
    kept.endedAtMs = atMs;
    kept.isOver = true;
    kept.turn = this.#lastTurn;
    this.#lastTurn = new Promise((resolve) => (kept.giveTurn = resolve));
    this.#flush.ended();
  }

  /** Bytes of all recordings on disk. */
  get storedBytes(): number {
    return this.retention.storedBytes + this.#liveBytes;
  }

  /** Returns true until the catalogue entry of the process is written. */
  isLive(key: string): boolean {
    return this.#kept.has(key);
  }

  /** Bytes of a live recording on disk; null if the process is not being recorded. */
  recordedBytes(key: string): number | null {
    return this.#kept.get(key)?.recording.storedBytes ?? null;
  }

  /** Resolves when everything added so far is written, or has failed. */
  async flushed(key: string): Promise<void> {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#writeAll([kept]);
    await kept.work;
  }

  /** Writes everything and finishes open recordings; with `isLeft` they stay open for a later gateway. */
  async close(isLeft = false): Promise<void> {
    this.#isClosed = true;
    this.retention.close();
    await this.#ready;
    const all = [...this.#kept.values()];
    if (!isLeft) for (const kept of all) kept.isOver = true;
    this.#writeAll(all);
    this.#flush.close();
    this.#holds.release();
    await Promise.all(all.map(({ work }) => work));
  }

  get #liveBytes(): number {
    return [...this.#kept.values()].reduce((sum, { recording }) => sum + recording.storedBytes, 0);
  }

  async #prepare(): Promise<void> {
    const { root, isRunning } = this.#options;
    try {
      await mkdir(openFolder(root), { recursive: true, mode: 0o700 });
      this.replacing.prepare();
      await recoverUnfinished(root, this.catalog, isRunning);
      this.retention.begin();
    } catch (error) {
      this.#report(error);
    }
  }

  #changed(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#flush.changed(kept);
    return kept;
  }

  #writeAll(all: readonly Kept[]): void {
    for (const { source } of all) source.gather();
    for (const kept of all) this.#writeNext(kept);
  }

  #writeNext(kept: Kept): void {
    if (kept.isWriteDue) return;
    kept.isWriteDue = true;
    kept.work = kept.work.then(() => this.#write(kept));
  }

  async #write(kept: Kept): Promise<void> {
    const { recording } = kept;
    kept.isWriteDue = false;
    // The recording was finished by an earlier write.
    if (!this.#kept.has(recording.key)) return;
    const isLast = kept.isOver;
    try {
      // An earlier gateway has finished the recording, and listed it.
      if (kept.isContinued && !kept.isPrepared && (await isFinished(recording.folder)))
        return this.#forget(kept);
      if (isLast && !kept.isNoted && recording.isShort && kept.marks.length === 0)
        return await this.#finishShort(kept);
      if (!kept.isPrepared) await this.#prepareFolder(kept);
      const oldest = this.#open.used(kept);
      if (oldest) oldest.work = oldest.work.then(() => oldest.recording.closeFile());
      await recording.write();
      const marks = kept.marks.splice(0).join('');
      if (marks !== '') await appendFile(marksPath(recording.folder), marks, { mode: 0o600 });
      if (isLast) await this.#finish(kept);
      this.#report(null);
    } catch (error) {
      this.#report(error);
      if (isLast) this.#forget(kept);
    }
  }

  #taken(bytes: number): void {
    this.#queuedBytes -= bytes;
    this.#holds.written(this.#queuedBytes);
  }

  async #prepareFolder(kept: Kept): Promise<void> {
    const { root } = this.#options;
    const owner = this.#options.owner();
    const { recording, startedAtMs } = kept;
    kept.isNoted = true;
    await mkdir(recording.folder, { recursive: true, mode: 0o700 });
    const meta = this.#meta(kept, null);
    // The note of an earlier gateway may have the only copy of the facts, and is not replaced atomically.
    if (kept.isContinued) await replaceMeta(recording.folder, JSON.stringify(meta));
    // One file with both, because files are most of what recording adds to a start.
    const note: OpenNote = { owner, month: monthOf(startedAtMs), meta };
    await writeFile(join(openFolder(root), recording.key), JSON.stringify(note), { mode: 0o600 });
    kept.isPrepared = true;
  }

  /** Finishes a short recording without a note, because its catalogue entry follows immediately. */
  async #finishShort(kept: Kept): Promise<void> {
    let text = '';
    kept.recording.writeShort(() => (text = JSON.stringify(this.#meta(kept, kept.endedAtMs))));
    await this.#list(kept, text);
    this.#over(kept, kept.recording.storedBytes);
    this.#report(null);
  }

  async #finish(kept: Kept): Promise<void> {
    const { recording, endedAtMs } = kept;
    await recording.closeFile();
    const meta = this.#meta(kept, endedAtMs);
    // The earlier gateway may already have written the entry if the process ended while it shut down.
    const before = kept.isContinued ? await readMeta(recording.folder) : null;
    const text = JSON.stringify(meta);
    await replaceMeta(recording.folder, text);
    const isListed = (before?.endedAtMs ?? null) !== null;
    await this.#list(kept, isListed ? null : text);
    await unlink(join(openFolder(this.#options.root), recording.key)).catch(ignoreMissing);
    this.#over(kept, meta.recordedBytes);
    this.#segmentFinished(recording.folder);
  }

  /** Adds the entry to the catalogue when its turn comes; null means that it is already there. */
  async #list(kept: Kept, entry: string | null): Promise<void> {
    await kept.turn;
    const written = entry === null ? null : this.catalog.add(kept.startedAtMs, entry);
    kept.giveTurn();
    await written;
  }

  /** `recordedBytes` is taken from the entry, because a segment may have been sealed since. */
  #over(kept: Kept, recordedBytes: number): void {
    this.#forget(kept);
    this.retention.added(recordedBytes);
  }

  #meta({ recording, source }: Kept, endedAtMs: number | null): StoredMeta {
    return {
      version: 1,
      ...source.describe(),
      endedAtMs,
      recordedBytes: recording.storedBytes,
      lostBytes: recording.lostBytes,
    };
  }

  #forget(kept: Kept): void {
    kept.giveTurn();
    this.#taken(kept.recording.queuedBytes);
    this.#holds.forget(kept.recording.key);
    this.#open.closed(kept);
    this.#kept.delete(kept.recording.key);
    void kept.recording.closeFile().catch(() => {});
  }

  /** Reports a failure; null means that writing works. */
  #report(error: unknown): void {
    if (this.#isClosed) return;
    if (error !== null) this.#options.failed(notRecorded(error as NodeJS.ErrnoException));
    else this.#options.failed(this.retention.isDiskLow ? DISK_IS_LOW : null);
  }
}

const isFinished = async (folder: string): Promise<boolean> =>
  ((await readMeta(folder))?.endedAtMs ?? null) !== null;

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
