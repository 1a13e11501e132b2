// Runs the worker thread for recordings: one task after another, each with a time limit.
import { once } from 'node:events';
import { durationText } from '../../text/amounts.ts';
import { startThread, type Thread } from '../host/start-thread.ts';
import type { TaskOf, ResultOf, TaskKind, ThreadData } from './history-thread.ts';

/**
 * Thrown for a task that exceeds its time limit, which the message states; the cause is a slow expression or a busy
 * machine.
 */
export class TaskTimeout extends Error {}

/** Time limit for a task without a regular expression; long, since the machine may be busy. */
const READ_MS = 60_000;

interface Message {
  readonly kind: TaskKind;
  readonly task: unknown;
  readonly isExpression: boolean;
}

export class HistoryTasks {
  /** Time limit in ms for a search with a regular expression, which could take any amount of time. */
  readonly #searchMs: number;
  readonly #isBackground: boolean;
  #worker: Thread | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(searchMs: number, { isBackground }: ThreadData = { isBackground: false }) {
    this.#searchMs = searchMs;
    this.#isBackground = isBackground;
  }

  /** Runs a task after all earlier ones; rejects with TaskTimeout, or with the error that ended the thread. */
  ask<K extends TaskKind>(kind: K, task: TaskOf<K>): Promise<ResultOf<K>> {
    const isExpression = kind === 'match' && (task as TaskOf<'match'>).query.isRegex;
    const done = this.#turn.then(() => this.#askNow({ kind, task, isExpression }));
    this.#turn = done.catch(() => undefined);
    return done as Promise<ResultOf<K>>;
  }

  close(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }

  async #askNow(message: Message): Promise<unknown> {
    const worker = this.#worker ?? (await this.#start());
    const mostMs = message.isExpression ? this.#searchMs : READ_MS;
    const timeout = AbortSignal.timeout(mostMs);
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(message);
      const [found] = (await once(worker, 'message', { signal: timeout })) as [unknown];
      return found;
    } catch (error) {
      this.close();
      if (!timeout.aborted) throw error;
      throw new TaskTimeout(`more than ${durationText(mostMs)}`, { cause: error });
    }
  }

  /** Starts the thread before the time limit begins. */
  async #start(): Promise<Thread> {
    const worker = startThread(new URL('history-thread.ts', import.meta.url), {
      isBackground: this.#isBackground,
    } satisfies ThreadData);
    await once(worker, 'message');
    this.#worker = worker;
    return worker;
  }
}
