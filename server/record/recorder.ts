// Records what processes print: gathered for a moment, written in the background, and never waited for.
import { appendFile, mkdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stream } from '../../protocol/process.ts';
import type { Size } from '../../protocol/scalars.ts';
import { Catalog } from './catalog.ts';
import type { RecordLimits } from './limits.ts';
import { folderOf, marksPath, monthOf, openFolder } from './places.ts';
import { Recording, type RecordingStart } from './recording.ts';
import { recoverUnfinished, type OpenNote } from './recover.ts';
import { Retention } from './retention.ts';
import type { RecordedExit } from './segment-payloads.ts';
import { createMeta, readMeta, replaceMeta, type ProcessFacts, type StoredMeta } from './stored-meta.ts';

export interface RecorderOptions {
  /** The folder of all recordings; made when it is missing. */
  readonly root: string;
  readonly limits: RecordLimits;
  /** The program in which the processes run, by pid and start: other gateways may use the same folder. */
  readonly owner: () => OpenNote['owner'];
  readonly isRunning: (owner: OpenNote['owner']) => boolean;
  /** Called with the reason why output is not recorded, and with null when it is again. */
  readonly failed: (reason: string | null) => void;
}

/** The process that is recorded. */
export interface Source {
  /** Asked at its start and at its end. */
  readonly describe: () => ProcessFacts;
  /** Hands over output that is still being gathered. */
  readonly gather: () => void;
}

interface Kept {
  readonly recording: Recording;
  readonly startedAtMs: number;
  readonly source: Source;
  /** True for a process of an earlier gateway. */
  readonly isContinued: boolean;
  marks: string[];
  isPrepared: boolean;
  /** True once other gateways know of it: a note says that it is not finished. */
  isNoted: boolean;
  isOver: boolean;
  endedAtMs: number;
  /** The writing under way. */
  work: Promise<void>;
  /** Resolves when those that were over before have their place in the catalogue. */
  turn: Promise<void>;
  /** Called when this one has its place, or gets none. */
  giveTurn: () => void;
}

export class Recorder {
  readonly catalog: Catalog;
  readonly retention: Retention;
  readonly #options: RecorderOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #dirty = new Set<Kept>();
  /** Recordings whose file is open, the least recently used first. */
  readonly #open = new Set<Kept>();
  #queuedBytes = 0;
  /** Entries of the catalogue are in the order of ends, however long each recording takes to be written. */
  #lastTurn = Promise.resolve();
  #flush: NodeJS.Timeout | null = null;
  #isClosed = false;
  readonly #ready: Promise<void>;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.catalog = new Catalog(options.root);
    this.retention = new Retention({
      root: options.root,
      catalog: this.catalog,
      limits: options.limits,
      isLive: (key) => this.#kept.has(key),
      liveBytes: () => this.#liveBytes,
      changed: () => this.#report(null),
    });
    this.#ready = this.#prepare();
  }

  /** The folder of all recordings. */
  get root(): string {
    return this.#options.root;
  }

  /** Resolves when what earlier gateways left unfinished is in the catalogue. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Begins to record a process. */
  begin(key: string, startedAtMs: number, source: Source, start: RecordingStart): void {
    const folder = folderOf(this.#options.root, monthOf(startedAtMs), key);
    this.#kept.set(key, {
      recording: new Recording(key, folder, this.#options.limits, start),
      startedAtMs,
      source,
      isContinued: start.isContinued,
      marks: [],
      isPrepared: false,
      isNoted: start.isContinued,
      isOver: false,
      endedAtMs: startedAtMs,
      work: Promise.resolve(),
      turn: Promise.resolve(),
      giveTurn: () => {},
    });
    this.#changed(key);
  }

  /** Takes output in its order; keeps `bytes`, which must not change any more. */
  output(key: string, stream: Stream, bytes: Buffer, atMs: number): void {
    const kept = this.#changed(key);
    if (!kept) return;
    const { recordQueueBytes } = this.#options.limits;
    const isKept = !this.retention.isDiskLow && this.#queuedBytes + bytes.length <= recordQueueBytes;
    if (isKept) this.#queuedBytes += bytes.length;
    kept.recording.output(stream, bytes, atMs, isKept);
    kept.endedAtMs = atMs;
  }

  /** The next event has this seq, and its first byte this offset: what was before it is gone. */
  continuesAt(key: string, seq: number, offset: number): void {
    this.#kept.get(key)?.recording.continueAt(seq, offset);
  }

  /** There is output to be gathered. */
  printed(key: string): void {
    this.#changed(key);
  }

  resized(key: string, size: Size, atMs: number): void {
    this.#changed(key)?.recording.resized(size, atMs);
  }

  exited(key: string, exit: RecordedExit, atMs: number): void {
    this.#changed(key)?.recording.exited(exit, atMs);
  }

  /** A moment worth finding again, such as an act of a person. */
  mark(key: string, mark: object): void {
    this.#changed(key)?.marks.push(`${JSON.stringify(mark)}\n`);
  }

  /** The process is over: its entry in the catalogue follows. */
  closed(key: string, atMs: number): void {
    const kept = this.#changed(key);
    if (!kept) return;
    kept.recording.closed(atMs);
    kept.endedAtMs = atMs;
    kept.isOver = true;
    kept.turn = this.#lastTurn;
    this.#lastTurn = new Promise((resolve) => (kept.giveTurn = resolve));
    // A gateway that is killed now is to know of it as soon as can be.
    setImmediate(() => this.#writeDirty());
  }

  /** Bytes of all recordings on disk. */
  get storedBytes(): number {
    return this.retention.storedBytes + this.#liveBytes;
  }

  /** True until its entry in the catalogue is written. */
  isLive(key: string): boolean {
    return this.#kept.has(key);
  }

  /** Bytes of a live recording on disk; null for another. */
  recordedBytes(key: string): number | null {
    return this.#kept.get(key)?.recording.storedBytes ?? null;
  }

  /** The folder of a process that is still recorded; null for another. */
  liveFolder(key: string): string | null {
    return this.#kept.get(key)?.recording.folder ?? null;
  }

  /** Resolves when everything that came until now is written, or could not be. */
  async flushed(key: string): Promise<void> {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#dirty.add(kept);
    this.#writeDirty();
    await kept.work;
  }

  /** Writes everything, and finishes what is still open; with `isLeft` a later gateway goes on with it. */
  async close(isLeft = false): Promise<void> {
    this.#isClosed = true;
    this.retention.close();
    await this.#ready;
    for (const kept of this.#kept.values()) {
      if (!isLeft) kept.isOver = true;
      this.#dirty.add(kept);
    }
    const all = [...this.#kept.values()];
    this.#writeDirty();
    await Promise.all(all.map(({ work }) => work));
  }

  get #liveBytes(): number {
    return [...this.#kept.values()].reduce((sum, { recording }) => sum + recording.storedBytes, 0);
  }

  async #prepare(): Promise<void> {
    const { root, isRunning } = this.#options;
    try {
      await mkdir(openFolder(root), { recursive: true, mode: 0o700 });
      await recoverUnfinished(root, this.catalog, isRunning);
      this.retention.begin();
    } catch (error) {
      this.#report(error);
    }
  }

  #changed(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#dirty.add(kept);
    this.#flush ??= setTimeout(() => this.#writeDirty(), this.#options.limits.recordFlushMs);
    return kept;
  }

  #writeDirty(): void {
    for (const { source } of this.#dirty) source.gather();
    if (this.#flush) clearTimeout(this.#flush);
    this.#flush = null;
    for (const kept of this.#dirty) {
      kept.work = kept.work.then(() => this.#write(kept));
    }
    this.#dirty.clear();
  }

  async #write(kept: Kept): Promise<void> {
    const { recording } = kept;
    // A reader may have asked for it once more while its end was written.
    if (!this.#kept.has(recording.key)) return;
    const before = recording.queuedBytes;
    const isLast = kept.isOver;
    try {
      if (!kept.isPrepared) await this.#prepareFolder(kept, isLast);
      this.#open.delete(kept);
      this.#open.add(kept);
      await recording.write();
      const marks = kept.marks.splice(0).join('');
      if (marks !== '') await appendFile(marksPath(recording.folder), marks, { mode: 0o600 });
      if (isLast) await this.#finish(kept);
      else await this.#closeOldest();
      this.#report(null);
    } catch (error) {
      this.#report(error);
      if (isLast) this.#forget(kept);
    } finally {
      this.#queuedBytes -= before - recording.queuedBytes;
    }
  }

  async #prepareFolder(kept: Kept, isLast: boolean): Promise<void> {
    const { root } = this.#options;
    const owner = this.#options.owner();
    const { recording, startedAtMs } = kept;
    await mkdir(recording.folder, { recursive: true, mode: 0o700 });
    // A process that is over already needs no note: its entry in the catalogue follows at once.
    if (!isLast) {
      kept.isNoted = true;
      const note: OpenNote = { owner, month: monthOf(startedAtMs) };
      await writeFile(join(openFolder(root), recording.key), JSON.stringify(note), { mode: 0o600 });
      await replaceMeta(recording.folder, JSON.stringify(this.#meta(kept, null)));
    }
    kept.isPrepared = true;
  }

  async #finish(kept: Kept): Promise<void> {
    const { recording, endedAtMs } = kept;
    await recording.closeFile();
    const meta = this.#meta(kept, endedAtMs);
    // It may have ended while the earlier gateway ended, which wrote its entry.
    const before = kept.isContinued ? await readMeta(recording.folder) : null;
    const text = JSON.stringify(meta);
    await (kept.isNoted ? replaceMeta : createMeta)(recording.folder, text);
    await kept.turn;
    const isListed = (before?.endedAtMs ?? null) !== null;
    const written = isListed ? null : this.catalog.add(meta.info.startedAtMs, text);
    kept.giveTurn();
    await written;
    if (kept.isNoted) await unlink(join(openFolder(this.#options.root), recording.key)).catch(ignoreMissing);
    this.#forget(kept);
    this.retention.added(meta.recordedBytes);
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
    this.#open.delete(kept);
    this.#kept.delete(kept.recording.key);
    void kept.recording.closeFile().catch(() => {});
  }

  async #closeOldest(): Promise<void> {
    if (this.#open.size <= this.#options.limits.recordOpenFiles) return;
    const [oldest] = this.#open;
    if (!oldest) return;
    this.#open.delete(oldest);
    oldest.work = oldest.work.then(() => oldest.recording.closeFile());
  }

  /** Reports the first failure until something has been written again. */
  #report(error: unknown): void {
    if (this.#isClosed) return;
    if (error !== null) {
      const { code, message } = error as NodeJS.ErrnoException;
      const why = code === 'ENOSPC' ? 'the disk is full' : message;
      this.#options.failed(
        `Output is not recorded: ${why}. Processes run on, and their newest output is kept in memory.`,
      );
    } else if (this.retention.isDiskLow) {
      this.#options.failed(
        'Output is not recorded: the disk of the state folder is nearly full. Free some space, or delete recordings with exec-console history rm.',
      );
    } else this.#options.failed(null);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
