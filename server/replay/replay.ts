// Replays of recordings: their time axis, and the screen at any moment.
import type { MomentResult, RecordingResult } from '../../protocol/replay.ts';
import { startThread, type Thread } from '../host/start-thread.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { folderOf, monthOf } from '../record/places.ts';
import type { Recorder } from '../record/recorder.ts';
import type { FromReplay, MomentTask, RecordingTask, ReplayLimits, ToReplay } from './replay-thread.ts';

/** Maximum and default number of scrollback lines that `process/moment` returns. */
const MOMENT_LINES = 1000;

interface Waiting {
  readonly resolve: (result: FromReplay['result']) => void;
  readonly reject: (error: Error) => void;
}

export class Replay {
  readonly #recorder: Recorder;
  readonly #limits: ReplayLimits;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Thread | null = null;
  #nextId = 1;

  constructor(recorder: Recorder, limits: ReplayLimits) {
    this.#recorder = recorder;
    this.#limits = limits;
  }

  /** Resolves with the time axis and marks of a process's recording; null when nothing is recorded. */
  async recording(process: ProcessView): Promise<RecordingResult | null> {
    const result = await this.#ask({ kind: 'recording', ...(await this.#recordingOf(process)) });
    return result as RecordingResult | null;
  }

  /**
   * Resolves with the screen at a moment; for a process without a terminal, only with the seq of an earlier event. Null
   * when nothing is recorded, and `dropped` when drawing took too long. `isMasked` masks secrets, as for observers.
   */
  async moment(
    process: ProcessView,
    {
      atMs,
      scrollback = MOMENT_LINES,
      isMasked,
    }: { readonly atMs: number; readonly scrollback?: number | undefined; readonly isMasked: boolean },
  ): Promise<MomentResult | 'dropped' | null> {
    const isTty = process.size !== null;
    const result = await this.#ask({
      kind: 'moment',
      ...(await this.#recordingOf(process)),
      atMs,
      scrollback: Math.min(scrollback, MOMENT_LINES),
      isTty,
      isMasked,
    });
    return result as MomentResult | 'dropped' | null;
  }

  close(): void {
    void this.#thread?.terminate();
    this.#thread = null;
    this.#fail(new Error('the gateway is stopping'));
  }

  /** Resolves with a recording once everything printed so far has been written. */
  async #recordingOf({ key, startedAtMs, log }: ProcessView): Promise<Omit<RecordingTask, 'kind'>> {
    log.seal();
    const printedBytes = log.totalBytes;
    await this.#recorder.flushed(key);
    return { folder: folderOf(this.#recorder.root, monthOf(startedAtMs), key), printedBytes };
  }

  #ask(task: RecordingTask | MomentTask): Promise<FromReplay['result']> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#thread ??= this.#start();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#thread.postMessage({ id, ...task } satisfies ToReplay);
    });
  }

  #start(): Thread {
    const thread = startThread(new URL('replay-thread.ts', import.meta.url), {
      screenTurnMs: this.#limits.screenTurnMs,
      screenDrawMs: this.#limits.screenDrawMs,
    } satisfies ReplayLimits);
    thread.on('message', ({ id, result, failed }: FromReplay) => {
      const waiting = this.#waiting.get(id);
      if (failed) waiting?.reject(Object.assign(new Error(failed.message), failed));
      else waiting?.resolve(result);
      this.#waiting.delete(id);
    });
    thread.on('error', (error: Error) => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      this.#fail(error);
    });
    return thread;
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
