// Indexes finished segments in a thread of low priority, one at a time, and never while the machine is busy.
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorder } from '../record/recorder.ts';
import { HistoryTasks } from './tasks.ts';

/** Maximum recordings in the queue; beyond it, the oldest wait for the next start of the gateway. */
const MOST_WAITING = 10_000;

export interface IndexerLimits {
  readonly recordIndexMs: number;
  readonly recordIndexLoad: number;
}

export class Indexer {
  readonly #root: string;
  readonly #limits: IndexerLimits;
  readonly #tasks: HistoryTasks;
  /** Folders of recordings to check for segments without an index. */
  readonly #waiting = new Set<string>();
  /** True until the recordings of earlier gateways are checked. */
  #isFirst = true;
  readonly #ending = new AbortController();
  #isWorking = false;

  constructor(recorder: Pick<Recorder, 'root' | 'ready' | 'onSegment'>, limits: IndexerLimits) {
    this.#root = recorder.root;
    this.#limits = limits;
    this.#tasks = new HistoryTasks(0, { isBackground: true });
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
        const folders = this.#isFirst ? null : [...this.#waiting];
        this.#waiting.clear();
        this.#isFirst = false;
        for (const task of await this.#tasks.ask('unindexed', { root: this.#root, folders })) {
          await this.#quiet();
          await this.#tasks.ask('index', task);
        }
      }
    } catch {
      // The gateway is closing, or the disk is full: segments without an index are read whole.
    }
    this.#isWorking = false;
    this.#tasks.close();
  }

  /** Resolves when the machine is not busy. */
  async #quiet(): Promise<void> {
    while ((loadavg()[0] ?? 0) > this.#limits.recordIndexLoad * availableParallelism()) await this.#wait();
  }

  /** Rejects when the gateway is closing. */
  #wait(): Promise<void> {
    const { signal } = this.#ending;
    return sleep(this.#limits.recordIndexMs, undefined, { signal, ref: false });
  }
}
