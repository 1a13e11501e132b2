// Detects terminals that wait for a person to type, from the system calls in which their foreground jobs sleep.
import type { ProcessView } from '../keeper/process-view.ts';
import { startThread, type Thread } from '../host/start-thread.ts';
import type { ForegroundJob } from './foreground-job.ts';

export interface WaitingLimits {
  /** Interval of checks of all processes that are due. */
  readonly waitingLookMs: number;
  /** Time without output and without processor time before the first check. */
  readonly waitingQuietMs: number;
  /** Interval of checks of a process that stays quiet. */
  readonly waitingAgainMs: number;
}

interface Watched {
  readonly process: ProcessView;
  /** Ticks at the check that found it using the processor, or at the first one since its last output. */
  ticks: number | null;
  ticksSinceMs: number;
  /** Number of checks since it has been quiet. */
  looks: number;
  lookedAtMs: number;
  /** Time when it was found waiting; null while it is not. */
  waitsSinceMs: number | null;
  /** True when waiting is the state that was last reported. */
  isTold: boolean;
}

export class Waiting {
  readonly #limits: WaitingLimits;
  readonly #changed: (process: ProcessView) => void;
  readonly #reportDefect: (error: Error) => void;
  readonly #watched = new Map<ProcessView, Watched>();
  /** True once a watcher has ever been there. A thread costs 8 MB, so there is none before. */
  #isWanted = false;
  #worker: Thread | null = null;
  #timer: NodeJS.Timeout | null = null;
  #asked: ReadonlyMap<number, Watched> | null = null;

  /**
   * `changed` is called when a process has begun or ceased to wait; also by its own output, which by itself only
   * updates the printed members.
   */
  constructor(
    limits: WaitingLimits,
    changed: (process: ProcessView) => void,
    reportDefect: (error: Error) => void,
  ) {
    this.#limits = limits;
    this.#changed = changed;
    this.#reportDefect = reportDefect;
  }

  /** Starts detection for good: changes while the watchers are away count too. */
  begin(): void {
    this.#isWanted = true;
    this.#schedule();
  }

  /** Follows a process until it has exited. */
  follow(process: ProcessView): void {
    // The system's table is read as Linux has it; elsewhere nothing is claimed.
    if (!process.size || globalThis.process.platform !== 'linux') return;
    this.#watched.set(process, {
      process,
      ticks: null,
      ticksSinceMs: 0,
      looks: 0,
      lookedAtMs: 0,
      waitsSinceMs: null,
      isTold: false,
    });
    this.#schedule();
  }

  isWaiting(process: ProcessView): boolean {
    const { waitsSinceMs } = this.#watched.get(process) ?? { waitsSinceMs: null };
    return waitsSinceMs !== null && quietSinceMs(process) <= waitsSinceMs && !process.exit;
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#watched.clear();
    void this.#worker?.terminate();
    this.#worker = null;
  }

  #schedule(): void {
    if (!this.#isWanted || this.#watched.size === 0) return;
    this.#timer ??= setInterval(() => this.#look(), this.#limits.waitingLookMs).unref();
  }

  #look(): void {
    const now = Date.now();
    for (const process of this.#watched.keys()) if (process.exit) this.#watched.delete(process);
    if (this.#watched.size === 0) {
      if (this.#timer) clearInterval(this.#timer);
      this.#timer = null;
      return;
    }
    for (const watched of this.#watched.values()) this.#tellOf(watched);
    // One look at a time: a slow one is not overtaken.
    if (this.#asked) return;
    const due = [...this.#watched.values()].filter((each) => this.#isDue(each, now));
    if (due.length === 0) return;
    this.#asked = new Map(due.map((each) => [each.process.pid, each]));
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage([...this.#asked.keys()]);
  }

  #isDue(watched: Watched, now: number): boolean {
    const { waitingLookMs, waitingQuietMs, waitingAgainMs } = this.#limits;
    const { process, lookedAtMs } = watched;
    const quietMs = now - quietSinceMs(process);
    if (process.isFullScreen || quietMs < waitingLookMs) {
      watched.ticks = null;
      watched.looks = 0;
      return false;
    }
    // The first looks decide whether it waits, however long it has been quiet before them; later ones are rare.
    const first = waitingQuietMs / waitingLookMs + 3;
    return watched.looks < first || now - lookedAtMs >= waitingAgainMs;
  }

  #start(): Thread {
    const worker = startThread(new URL('waiting-thread.ts', import.meta.url), null);
    worker.on('message', (jobs: readonly ForegroundJob[]) => this.#tell(jobs));
    worker.on('error', (error: Error) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#asked = null;
      this.#reportDefect(error);
    });
    return worker;
  }

  #tell(jobs: readonly ForegroundJob[]): void {
    const asked = this.#asked ?? new Map<number, Watched>();
    this.#asked = null;
    const now = Date.now();
    const byLeader = new Map(jobs.map((job) => [job.leader, job]));
    for (const watched of asked.values()) {
      const { process } = watched;
      const job = byLeader.get(process.pid);
      watched.lookedAtMs = now;
      watched.looks += 1;
      if (!job || job.ticks !== watched.ticks) {
        watched.ticks = job?.ticks ?? null;
        watched.ticksSinceMs = now;
      }
      const quietMs = now - Math.max(quietSinceMs(process), watched.ticksSinceMs);
      const isWaiting =
        (job?.asks ?? false) && !process.isFullScreen && quietMs >= this.#limits.waitingQuietMs;
      watched.waitsSinceMs = isWaiting ? now : null;
      this.#tellOf(watched);
    }
  }

  #tellOf(watched: Watched): void {
    const isWaiting = this.isWaiting(watched.process);
    if (isWaiting === watched.isTold) return;
    watched.isTold = isWaiting;
    this.#changed(watched.process);
  }
}

const quietSinceMs = ({ lastOutputAtMs, startedAtMs }: ProcessView): number => lastOutputAtMs ?? startedAtMs;
