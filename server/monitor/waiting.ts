// Detects terminals that are waiting for input, from the system calls in which their foreground jobs sleep.
import { platform } from 'node:process';
import type { ProcessView } from '../keeper/process-view.ts';
import { startThread, type Thread } from '../host/start-thread.ts';
import type { ForegroundJob } from './foreground-job.ts';

export interface WaitingLimits {
  /** Interval between checks of all due processes. */
  readonly waitingLookMs: number;
  /** Time without output or CPU use after which a process can count as waiting. */
  readonly waitingQuietMs: number;
  /** Interval between checks of an idle process, once its first checks are over. */
  readonly waitingAgainMs: number;
}

/** All times are on the clock of performance.now, which nobody can set. */
interface Watched {
  readonly process: ProcessView;
  /** Bytes of output at the last check. */
  outputBytes: number;
  /** Time of the last check that found new output; before that, time of the call of `follow`. */
  quietSinceMs: number;
  /** Ticks of the foreground job at the last check; null when the job was not checked since the last output. */
  ticks: number | null;
  /** Time of the last check that found new ticks. */
  ticksSinceMs: number;
  /** Number of checks since the process became idle. */
  looks: number;
  lookedAtMs: number;
  /** Bytes of output at the last check, if it found the process waiting; otherwise null. */
  waitsAtBytes: number | null;
  /** True when the process was last reported as waiting. */
  isReported: boolean;
}

export class Waiting {
  readonly #limits: WaitingLimits;
  readonly #changed: (view: ProcessView) => void;
  readonly #reportDefect: (error: Error) => void;
  readonly #watched = new Map<ProcessView, Watched>();
  /**
   * True once a watcher has connected, or an agent has asked for the state of a process. The thread costs 8 MB, so it
   * is started only then.
   */
  #isWanted = false;
  #worker: Thread | null = null;
  #timer: NodeJS.Timeout | null = null;
  #asked: ReadonlyMap<number, Watched> | null = null;

  /** `changed` is called when a process starts or stops waiting for input. */
  constructor(
    limits: WaitingLimits,
    changed: (view: ProcessView) => void,
    reportDefect: (error: Error) => void,
  ) {
    this.#limits = limits;
    this.#changed = changed;
    this.#reportDefect = reportDefect;
  }

  /** Starts detection, which continues without watchers, because a change in their absence is an activity as well. */
  begin(): void {
    this.#isWanted = true;
    this.#schedule();
  }

  /** Checks a process, once detection has started, until it has exited or is lost; ignores one without a terminal. */
  follow(view: ProcessView): void {
    // Detection needs Linux's process table; elsewhere nothing is reported.
    if (!view.size || platform !== 'linux') return;
    this.#watched.set(view, {
      process: view,
      outputBytes: view.log.totalBytes,
      quietSinceMs: performance.now(),
      ticks: null,
      ticksSinceMs: 0,
      looks: 0,
      lookedAtMs: 0,
      waitsAtBytes: null,
      isReported: false,
    });
    this.#schedule();
  }

  isWaiting(view: ProcessView): boolean {
    return this.#watched.get(view)?.waitsAtBytes === view.log.totalBytes && !isOver(view);
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
    const now = performance.now();
    for (const view of this.#watched.keys()) if (isOver(view)) this.#watched.delete(view);
    if (this.#watched.size === 0) {
      if (this.#timer) clearInterval(this.#timer);
      this.#timer = null;
      return;
    }
    for (const watched of this.#watched.values()) this.#report(watched);
    // One check runs at a time, even if it is slow.
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
    const { process: view, lookedAtMs } = watched;
    if (view.log.totalBytes !== watched.outputBytes) {
      watched.outputBytes = view.log.totalBytes;
      watched.quietSinceMs = now;
    }
    if (view.isFullScreen || now - watched.quietSinceMs < waitingLookMs) {
      watched.ticks = null;
      watched.looks = 0;
      return false;
    }
    // The first checks decide whether a process is waiting, however long it was idle before; later ones are rare.
    const first = waitingQuietMs / waitingLookMs + 3;
    return watched.looks < first || now - lookedAtMs >= waitingAgainMs;
  }

  #start(): Thread {
    const worker = startThread(new URL('waiting-thread.ts', import.meta.url), null);
    worker.on('message', (jobs: readonly ForegroundJob[]) => this.#take(jobs));
    worker.on('error', (error: Error) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#asked = null;
      this.#reportDefect(error);
    });
    return worker;
  }

  #take(jobs: readonly ForegroundJob[]): void {
    const asked = this.#asked ?? new Map<number, Watched>();
    this.#asked = null;
    const now = performance.now();
    const byLeader = new Map(jobs.map((job) => [job.leader, job]));
    for (const watched of asked.values()) {
      const { process: view } = watched;
      const job = byLeader.get(view.pid);
      watched.lookedAtMs = now;
      watched.looks += 1;
      if (!job || job.ticks !== watched.ticks) {
        watched.ticks = job?.ticks ?? null;
        watched.ticksSinceMs = now;
      }
      const quietMs = now - Math.max(watched.quietSinceMs, watched.ticksSinceMs);
      const isWaiting =
        (job?.asks ?? false) &&
        !view.isFullScreen &&
        quietMs >= this.#limits.waitingQuietMs &&
        view.log.totalBytes === watched.outputBytes;
      watched.waitsAtBytes = isWaiting ? watched.outputBytes : null;
      this.#report(watched);
    }
  }

  #report(watched: Watched): void {
    const isWaiting = this.isWaiting(watched.process);
    if (isWaiting === watched.isReported) return;
    watched.isReported = isWaiting;
    this.#changed(watched.process);
  }
}

/** Returns true for a process that can no longer wait, or whose state is unknown. */
const isOver = ({ exit, isLost, isClosed }: ProcessView): boolean => exit !== null || isLost || isClosed;
