// The history of processes: opens them by key from their recordings, lists, searches and removes them.
import type { ProcessInfo, ReadByKeyResult } from '../../protocol/console.ts';
import type {
  HistoryEntry,
  HistoryRemoveResult,
  HistoryResult,
  HistorySearchResult,
} from '../../protocol/history.ts';
import type { LineQuery } from '../../text/line-query.ts';
import type { OutputEvent } from '../keeper/log-event.ts';
import { pastProcess } from '../keeper/past-process.ts';
import type { LogView, ProcessControl, ProcessView } from '../keeper/process-view.ts';
import { readStretch } from '../keeper/read-stretch.ts';
import { folderOf, monthOf } from '../record/places.ts';
import type { Recorder } from '../record/recorder.ts';
import { StoredRecording } from '../record/stored-recording.ts';
import type { ReplayLimits } from '../replay/replay-thread.ts';
import { Replay } from '../replay/replay.ts';
import { Candidates } from './candidates.ts';
import type { Filter } from './filter.ts';
import { entryOf } from './history-entry.ts';
import { decodePlace, encodePlace, firstPlace } from './place.ts';
import { RecordedLines } from './recorded-lines.ts';
import { Indexer, type IndexerLimits } from './indexer.ts';
import { HistorySearch, type HistorySearchLimits, type HistorySearchOptions } from './search.ts';
import { DamagedFacts, storedProcess } from './stored-process.ts';
import { HistoryTasks } from './tasks.ts';

export interface HistoryLimits extends HistorySearchLimits, IndexerLimits, ReplayLimits {
  readonly retainedBytes: number;
  readonly pastProcesses: number;
}

export interface HistoryOptions {
  readonly recorder: Recorder;
  readonly limits: HistoryLimits;
  /** Returns the live processes of this gateway, and the finished ones that are still in memory. */
  readonly present: () => readonly ProcessView[];
  readonly describe: (process: ProcessView) => ProcessInfo;
  readonly clientNameOf: (process: ProcessView) => string | null;
  /** False when nothing new is recorded. */
  readonly isOn: boolean;
  readonly opened: (process: ProcessControl) => void;
  /** Called with a process that is no longer open. */
  readonly closed: (process: ProcessControl) => void;
  /**
   * Called with the key of a process after its recording was removed, and who removed it (`gateway` for a limit); the
   * process may still be open, and its output in memory.
   */
  readonly removed: (key: string, who: string) => void;
}

/** Maximum size of a page, in bytes; a request may set a smaller one. */
const PAGE_BYTES = 1024 * 1024;
/** Bytes of output before a page that are searched for the beginning of a secret. */
const BEFORE_BYTES = 64 * 1024;
const PAGE_ENTRIES = 200;

export class History {
  readonly #options: HistoryOptions;
  readonly #tasks: HistoryTasks;
  readonly #indexer: Indexer;
  readonly #search: HistorySearch;
  readonly #candidates: Candidates;
  readonly lines: RecordedLines;
  readonly replay: Replay;
  /** Open processes, the least recently opened first. */
  readonly #open = new Map<string, ProcessControl>();
  /** Processes that are being read from their recordings, so that simultaneous requests share one read. */
  readonly #opening = new Map<string, Promise<ProcessControl | null>>();

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#tasks = new HistoryTasks(options.limits.searchMs);
    this.#indexer = new Indexer(options.recorder, options.limits);
    this.#candidates = new Candidates({
      recorder: options.recorder,
      present: () => this.#presentEntries(),
    });
    this.#search = new HistorySearch({
      recorder: options.recorder,
      candidates: this.#candidates,
      tasks: this.#tasks,
      limits: options.limits,
      entryOf: async (key) => (await this.list({ key })).processes[0] ?? null,
    });
    this.lines = new RecordedLines(options.recorder, this.#tasks);
    this.replay = new Replay(options.recorder, options.limits);
    options.recorder.retention.onRemoved((key, who) => this.#forget(key, who));
  }

  get recorder(): Recorder {
    return this.#options.recorder;
  }

  /** Returns the name sent by the client that started a process; null for people, and when it is no longer known. */
  clientNameOf(process: ProcessView): string | null {
    return this.#options.clientNameOf(process);
  }

  /** Returns the process that is open from its recording; undefined when none with this key is. */
  get(key: string): ProcessControl | undefined {
    return this.#open.get(key);
  }

  /**
   * Opens a process from its recording; resolves with false when there is no finished recording with this key. Rejects
   * with DamagedFacts when its facts are not readable.
   */
  async open(key: string): Promise<boolean> {
    if (this.#open.has(key)) return true;
    const opening = this.#opening.get(key) ?? this.#pastProcess(key);
    this.#opening.set(key, opening);
    const isCurrent = (): boolean => this.#opening.get(key) === opening;
    try {
      const process = await opening;
      // Another request may have opened the process meanwhile, or removed its recording.
      if (process && isCurrent()) this.#opened(process);
    } finally {
      if (isCurrent()) this.#opening.delete(key);
    }
    return this.#open.has(key);
  }

  /** Resolves with a page from the recording; null when the log in memory suffices, or nothing later is recorded. */
  async read(
    process: ProcessView,
    {
      afterSeq,
      maxBytes,
    }: { readonly afterSeq?: number | null | undefined; readonly maxBytes?: number | null | undefined },
    seenIn: (log: LogView) => (chunk: OutputEvent) => OutputEvent,
  ): Promise<ReadByKeyResult | null> {
    const after = afterSeq ?? 0;
    if (after + 1 >= process.log.firstSeq) return null;
    await this.recorder.flushed(process.key);
    const folder = folderOf(this.recorder.root, monthOf(process.startedAtMs), process.key);
    const recording = await StoredRecording.openIfAny(folder);
    const page = await recording?.after(after, Math.min(maxBytes ?? PAGE_BYTES, PAGE_BYTES));
    const first = page?.events[0];
    // The log in memory is sufficient when neither a recorded event nor a gap precedes its first retained event.
    if (!recording || !page || !first) return null;
    if (first.seq >= process.log.firstSeq && page.missedBytes === 0) return null;
    const context = await recording.before(first.seq, BEFORE_BYTES);
    return readStretch(process, page, { before: context.events, seenIn });
  }

  /**
   * Resolves with up to `limit` processes (default 200): those that were running when the first page was requested or
   * have no recording, then those that had ended, each newest first; with `key`, only that process.
   */
  async list(
    filter: Filter & {
      readonly key?: string | undefined;
      readonly before?: string | undefined;
      readonly limit?: number | undefined;
    },
  ): Promise<HistoryResult> {
    const { key, limit = PAGE_ENTRIES } = filter;
    if (key !== undefined) {
      const present = this.#options.present().find((each) => each.key === key);
      const isInCatalog = !present || (present.isClosed && !this.recorder.isLive(key));
      const stored = isInCatalog ? await this.#storedEntry(key, present !== undefined) : null;
      const entry = stored ?? (present ? this.#described(present) : null);
      return { processes: entry ? [entry] : [], before: null };
    }
    const from = decodePlace(filter.before) ?? firstPlace();
    const processes: HistoryEntry[] = [];
    let last = from;
    for await (const { entry, place } of this.#candidates.from(from, filter)) {
      if (processes.length >= limit) return { processes, before: encodePlace(last) };
      processes.push(entry);
      last = place;
    }
    return { processes, before: null };
  }

  /** Searches the history for one page of hits; rejects with SearchRefused for an invalid or slow expression. */
  search(query: LineQuery, options: HistorySearchOptions): Promise<HistorySearchResult> {
    return this.#search.page(query, options);
  }

  /** Resolves with true while the process runs or its recording is unfinished. */
  async isRunning(key: string): Promise<boolean> {
    await this.recorder.flushed(key);
    return this.recorder.isLive(key) || this.#runningKeys.has(key);
  }

  get #runningKeys(): ReadonlySet<string> {
    const running = this.#options.present().filter(({ isClosed }) => !isClosed);
    return new Set(running.map(({ key }) => key));
  }

  /** Closes the history and finishes its recordings; resolves when everything is written. */
  async close(): Promise<void> {
    this.#closeReaders();
    await this.recorder.close();
  }

  /** Closes the history without finishing its recordings, which a later gateway continues. */
  async leave(): Promise<void> {
    this.#closeReaders();
    await this.recorder.close(true);
  }

  /**
   * Permanently removes recordings that meet every given condition, except those of running processes, for the person
   * `who`; removes nothing when no condition is given.
   */
  async remove({
    keys,
    beforeMs,
    agent,
    who,
  }: {
    readonly keys?: readonly string[] | undefined;
    readonly beforeMs?: number | undefined;
    readonly agent?: string | undefined;
    readonly who: string;
  }): Promise<HistoryRemoveResult> {
    const wanted = keys && new Set(keys);
    const found = new Map<string, number>();
    let removedBytes = 0;
    const running = this.#runningKeys;
    if (wanted || beforeMs !== undefined || agent !== undefined) {
      for await (const { meta } of this.recorder.catalog.newestFirst()) {
        const { info, endedAtMs, recordedBytes } = meta;
        if (wanted && !wanted.has(info.key)) continue;
        if (agent !== undefined && info.startedBy !== agent) continue;
        if (beforeMs !== undefined && (endedAtMs ?? 0) >= beforeMs) continue;
        await this.recorder.flushed(info.key);
        if (running.has(info.key) || this.recorder.isLive(info.key)) continue;
        found.set(info.key, info.startedAtMs);
        removedBytes += recordedBytes;
      }
    }
    await this.recorder.retention.remove(found, removedBytes, who);
    return { removed: found.size, removedBytes };
  }

  #closeReaders(): void {
    this.#tasks.close();
    this.#indexer.close();
    this.replay.close();
  }

  /** Reads a process from its recording; resolves with null when there is no finished recording with this key. */
  async #pastProcess(key: string): Promise<ProcessControl | null> {
    const found = await storedProcess(this.recorder, key);
    if (!found || found.meta.endedAtMs === null) return null;
    const { info, isConsole, tokenId, role, sandboxType } = found.meta;
    const recording = await StoredRecording.open(found.folder);
    const { retainedBytes } = this.#options.limits;
    const { events, sizes } = await recording.before(Number.POSITIVE_INFINITY, retainedBytes);
    const { processId, session, startedBy, metadata, label, restartOf } = info;
    const starter = { tokenId, role };
    const description = { processId, session, startedBy, metadata, label, restartOf, isConsole, starter };
    return pastProcess({ info, description, sandboxType, events, sizes });
  }

  #opened(process: ProcessControl): void {
    this.#open.set(process.key, process);
    this.#options.opened(process);
    const [oldest] = this.#open;
    if (this.#open.size > this.#options.limits.pastProcesses && oldest) this.#close(oldest[0]);
  }

  /** Closes a process whose recording was removed, and discards its output. */
  #forget(key: string, who: string): void {
    this.#opening.delete(key);
    this.#options.removed(key, who);
    this.#open.get(key)?.discardOutput(true);
    this.#close(key);
  }

  #close(key: string): void {
    const process = this.#open.get(key);
    if (!process) return;
    this.#open.delete(key);
    this.#options.closed(process);
  }

  /** Resolves with null also for damaged facts of a process that is in memory. */
  async #storedEntry(key: string, isPresent: boolean): Promise<HistoryEntry | null> {
    try {
      const found = await storedProcess(this.recorder, key);
      return found && entryOf(found.meta);
    } catch (error) {
      if (isPresent && error instanceof DamagedFacts) return null;
      throw error;
    }
  }

  /** Returns the processes of this gateway that are not in the catalogue, as entries. */
  #presentEntries(): HistoryEntry[] {
    return this.#options
      .present()
      .filter(
        ({ key, isClosed, description: { notRecorded } }) =>
          !isClosed || notRecorded === true || !this.#options.isOn || this.recorder.isLive(key),
      )
      .map((process) => this.#described(process));
  }

  #described(process: ProcessView): HistoryEntry {
    const { key } = process;
    const recordedBytes = this.recorder.recordedBytes(key) ?? 0;
    return { ...this.#options.describe(process), recordedBytes, clientName: this.clientNameOf(process) };
  }
}
