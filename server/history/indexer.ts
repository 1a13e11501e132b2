// Indexes and seals finished segments in a thread of low priority, one at a time, each begun only while the machine
// is not busy.
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { indexPath } from '../record/places.ts';
import type { Recorder } from '../record/recorder.ts';
import type { Retention } from '../record/retention.ts';
import { HistoryTasks } from './tasks.ts';
import type { SegmentWork } from './unfinished.ts';

/** Maximum number of queued recordings; beyond it, the first queued waits for its next segment or the next start. */
const MOST_WAITING = 10_000;
/** Number of recordings that are checked at once, and whose new sizes are written at once. */
const FOLDERS_AT_ONCE = 200;

export interface IndexerLimits {
  readonly recordIndexMs: number;
  readonly recordIndexLoad: number;
}

export interface IndexedRecorder extends Pick<Recorder, 'root' | 'ready' | 'onSegment' | 'replacing'> {
  readonly retention: Pick<Retention, 'resized'>;
}

export class Indexer {
  readonly #recorder: IndexedRecorder;
  readonly #limits: IndexerLimits;
  readonly #tasks: HistoryTasks;
  /** Folders of recordings that may have segments which are not indexed or sealed. */
  readonly #waiting = new Set<string>();
  /** True until the recordings of earlier gateways have been listed. */
  #isFirst = true;
  readonly #ending = new AbortController();
  #isWorking = false;

  constructor(recorder: IndexedRecorder, limits: IndexerLimits) {
    this.#recorder = recorder;
    this.#limits = limits;
    // An infinite load limit allows a fully busy machine, on which a thread of low priority would get no time.
    this.#tasks = new HistoryTasks(0, { isBackground: limits.recordIndexLoad < Infinity });
    recorder.onSegment((folder) => this.#add(folder));
    void recorder.ready.then(() => this.#work());
  }

  close(): void {
    this.#ending.abort();
    this.#tasks.close();
  }

  #add(folder: string): void {
    this.#waiting.add(folder);
    const [oldest] = this.#waiting;
    if (this.#waiting.size > MOST_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      while (this.#isFirst || this.#waiting.size > 0) {
        await this.#wait();
        await this.#quiet();
        const added = [...this.#waiting];
        const listed = this.#isFirst ? await this.#listed() : null;
        const folders = listed ?? added;
        for (const folder of added) this.#waiting.delete(folder);
        // A failed listing is repeated after the next wait.
        if (listed) this.#isFirst = false;
        for (let at = 0; at < folders.length; at += FOLDERS_AT_ONCE)
          await this.#finish(folders.slice(at, at + FOLDERS_AT_ONCE));
      }
    } catch {
      // The gateway is closing; searches read segments without an index whole.
    }
    this.#isWorking = false;
    this.#tasks.close();
  }

  /** Lists all recordings; resolves with null when that failed, for example because the task timed out. */
  async #listed(): Promise<readonly string[] | null> {
    try {
      return await this.#tasks.ask('folders', this.#recorder.root);
    } catch (error) {
      if (this.#ending.signal.aborted) throw error;
      return null;
    }
  }

  async #finish(folders: readonly string[]): Promise<void> {
    try {
      await this.#finishNow(folders);
    } catch (error) {
      if (this.#ending.signal.aborted) throw error;
      // One failing folder must not prevent the work on the others; that folder is tried again after its next segment
      // or at the next start.
      if (folders.length > 1) for (const folder of folders) await this.#finish([folder]);
    }
  }

  async #finishNow(folders: readonly string[]): Promise<void> {
    const task = { root: this.#recorder.root, folders };
    for (const work of await this.#tasks.ask('unfinished', task)) {
      if (work.needsIndex) await this.#index(work);
      if (work.needsSeal) await this.#seal(work);
    }
    const sizes = await this.#tasks.ask('sizes', task);
    if (!this.#ending.signal.aborted) await this.#recorder.retention.resized(sizes);
  }

  #index(work: SegmentWork): Promise<void> {
    const { path } = work;
    return this.#make(path, async (to) => {
      const isMade = await this.#tasks.ask('index', { ...work, to });
      if (isMade) this.#recorder.replacing.place(to, indexPath(path), path, null);
    });
  }

  #seal({ path }: SegmentWork): Promise<void> {
    return this.#make(path, async (to) => {
      const identity = await this.#tasks.ask('seal', { path, to });
      if (identity) this.#recorder.replacing.place(to, path, path, identity);
    });
  }

  /** Creates a new file for a finished segment; a failure leaves the segment unchanged. */
  async #make(segmentPath: string, write: (to: string) => Promise<void>): Promise<void> {
    const { replacing } = this.#recorder;
    await this.#quiet();
    if (!replacing.isFinished(segmentPath)) return;
    const to = replacing.newPath();
    try {
      await write(to);
    } catch {
      // The disk may be full, or the task may have timed out on a busy machine.
      replacing.discard(to);
    }
  }

  /** Resolves when the machine is not busy. */
  async #quiet(): Promise<void> {
    while ((loadavg()[0] ?? 0) > this.#limits.recordIndexLoad * availableParallelism()) await this.#wait();
  }

  /** Resolves after `recordIndexMs`; rejects when the gateway is closing. */
  #wait(): Promise<void> {
    const { signal } = this.#ending;
    return sleep(this.#limits.recordIndexMs, undefined, { signal, ref: false });
  }
}
