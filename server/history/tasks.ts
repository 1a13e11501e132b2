// The thread for recordings: tasks of all requesters take turns in it, each with a time limit.
import { once } from 'node:events';
import { startThread, type Thread } from '../host/start-thread.ts';
import type { TaskOf, ResultOf, TaskKind } from './history-thread.ts';

export class TaskTimeout extends Error {}

export class HistoryTasks {
  /** Time limit of one task in ms. */
  readonly #mostMs: number;
  #worker: Thread | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** Rejects with TaskTimeout, and with the error of a thread that has died. */
  ask<K extends TaskKind>(kind: K, task: TaskOf<K>): Promise<ResultOf<K>> {
    const done = this.#turn.then(() => this.#askNow({ kind, task }));
    this.#turn = done.catch(() => undefined);
    return done as Promise<ResultOf<K>>;
  }

  close(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }

  async #askNow(message: { readonly kind: TaskKind; readonly task: unknown }): Promise<unknown> {
    const worker = this.#worker ?? (await this.#start());
    const timeout = AbortSignal.timeout(this.#mostMs);
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(message);
      const [found] = (await once(worker, 'message', { signal: timeout })) as [unknown];
      return found;
    } catch (error) {
      this.close();
      if (!timeout.aborted) throw error;
      throw new TaskTimeout(`more than ${this.#mostMs} ms`, { cause: error });
    }
  }

  /** Starts the thread before the time limit begins. */
  async #start(): Promise<Thread> {
    const worker = startThread(new URL('history-thread.ts', import.meta.url), null);
    await once(worker, 'message');
    this.#worker = worker;
    return worker;
  }
}
