// Those who watch one process: in a process of their own, as their reading would be at the cost of whoever is measured.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AudienceJob, Told } from './audience-worker.ts';
import { within } from './client.ts';

const WORKER = join(import.meta.dirname, 'audience-worker.ts');
/** To be told the end: a share of the turns of a hundred. */
const END_MS = 30_000;

export class Audience {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** When all of them watch. */
  static async of(job: AudienceJob): Promise<Audience> {
    const child = fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.send(job);
    const audience = new Audience(child);
    await audience.#answer('the watchers');
    return audience;
  }

  /** When the process has ended, for all who read. */
  async told(): Promise<readonly Told[]> {
    const told = (await this.#answer('the end, by watchers', END_MS)) as readonly Told[];
    this.#child.kill();
    return told;
  }

  async #answer(what: string, ms?: number): Promise<unknown> {
    const ended = once(this.#child, 'exit').then(() => {
      throw new Error('those who watch ended by themselves');
    });
    const [answer] = (await within(Promise.race([once(this.#child, 'message'), ended]), what, ms)) as [
      unknown,
    ];
    return answer;
  }
}
