// Those who watch one process: in a process of their own, as their reading would be at the cost of whoever is measured.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Asked, AudienceJob, Seen, Told } from './audience-worker.ts';
import { within } from './client.ts';

const WORKER = join(import.meta.dirname, 'audience-worker.ts');
/** To be told the end: a share of the turns of a hundred. */
const END_MS = 30_000;

export class Audience {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** When all of them are connected; nobody watches yet. */
  static async of(job: AudienceJob): Promise<Audience> {
    const audience = new Audience(fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
    await audience.#ask(job, 'the connections of the watchers');
    return audience;
  }

  /** When all of them watch, from now on. */
  async watch(): Promise<void> {
    await this.#ask('watch', 'the watchers');
  }

  async leave(): Promise<void> {
    await this.#ask('leave', 'the watchers to leave');
  }

  /** Output that those who read have got since they watch, all together. */
  async bytes(): Promise<number> {
    return ((await this.#ask('bytes', 'what the watchers got')) as { bytes: number }).bytes;
  }

  /** What each who reads was told of it, when the process has ended for all of them. */
  async end(): Promise<readonly Seen[]> {
    const told = (await this.#ask('end', 'the end, by watchers', END_MS)) as { ended: readonly Seen[] };
    this.#child.kill();
    return told.ended;
  }

  async #ask(asked: Asked, what: string, ms?: number): Promise<Told> {
    const over = new AbortController();
    const { signal } = over;
    const ended = once(this.#child, 'exit', { signal }).then(() => {
      throw new Error('those who watch ended by themselves');
    });
    const answer = once(this.#child, 'message', { signal }) as Promise<[Told]>;
    this.#child.send(asked);
    try {
      return (await within(Promise.race([answer, ended]), what, ms))[0];
    } finally {
      // Nobody waits for the other one any more.
      ended.catch(() => {});
      answer.catch(() => {});
      over.abort();
    }
  }
}
