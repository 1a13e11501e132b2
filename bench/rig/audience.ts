// Watchers of one process, run in another process, so that their reading does not slow down the measured
// client.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Asked, AudienceJob, Seen, Reported } from './audience-worker.ts';
import { within } from './client.ts';

const WORKER = join(import.meta.dirname, 'audience-worker.ts');
/** Time limit for the end of the output to reach all watchers; up to a hundred of them share one process. */
const END_MS = 30_000;

export class Audience {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts the watchers; resolves when all are connected, before any of them watches. */
  static async of(job: AudienceJob): Promise<Audience> {
    const audience = new Audience(fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
    await audience.#ask(job, 'the connections of the watchers');
    return audience;
  }

  async watch(): Promise<void> {
    await this.#ask('watch', 'the watchers');
  }

  async leave(): Promise<void> {
    await this.#ask('leave', 'the watchers to leave');
  }

  /** Resolves with the number of bytes that the reading watchers have received since the last `watch`. */
  async bytes(): Promise<number> {
    return ((await this.#ask('bytes', 'the byte count of the watchers')) as { bytes: number }).bytes;
  }

  /**
   * Resolves with the totals of each reading watcher once all of them have received the end of the process;
   * then ends the watchers.
   */
  async end(): Promise<readonly Seen[]> {
    const reported = (await this.#ask('end', 'the watchers to receive the end', END_MS)) as {
      ended: readonly Seen[];
    };
    this.#child.kill();
    return reported.ended;
  }

  async #ask(asked: Asked, what: string, ms?: number): Promise<Reported> {
    const over = new AbortController();
    const { signal } = over;
    const ended = once(this.#child, 'exit', { signal }).then(() => {
      throw new Error('the process of the watchers exited unexpectedly');
    });
    const answer = once(this.#child, 'message', { signal }) as Promise<[Reported]>;
    this.#child.send(asked);
    try {
      return (await within(Promise.race([answer, ended]), what, ms))[0];
    } finally {
      // Neither promise is awaited any more, so a later rejection would be unhandled.
      ended.catch(() => {});
      answer.catch(() => {});
      over.abort();
    }
  }
}
