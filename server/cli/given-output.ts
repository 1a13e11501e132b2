// Writes the output of an agent's process to this command's stdout and stderr, in the order of events.
import type { ProcessEvent } from '../../client/own-process.ts';
import { missingHereText } from '../../text/missing-output.ts';
import { printNote } from './notes.ts';

/** Writes the output of a process's events until the last one, until stdout fails, or until `stop` is called. */
export class GivenOutput {
  readonly #events: AsyncGenerator<ProcessEvent, void, void>;
  #seq: number;
  #isStopped = false;
  #underway: Promise<boolean> = Promise.resolve(false);

  /** `seq`: number of the last event before `events`, whose output is already written; 0 for none. */
  constructor(events: AsyncGenerator<ProcessEvent, void, void>, seq = 0) {
    this.#events = events;
    this.#seq = seq;
  }

  get seq(): number {
    return this.#seq;
  }

  /** Stops writing; resolves when the write in progress has finished. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#underway;
    await Promise.resolve();
  }

  /**
   * Resolves with `broken` when stdout cannot be written, `stopped` after `stop`, and otherwise `closed` after the last
   * event; rejects when the events fail before `stop`. Calls `exited` after all earlier output is written.
   */
  async written(exited: (exitCode: number) => void): Promise<'closed' | 'broken' | 'stopped'> {
    try {
      for await (const event of this.#events) {
        if (this.#isStopped) return 'stopped';
        if (event.kind === 'output') {
          this.#underway = isBroken(event);
          if (await this.#underway) return 'broken';
        }
        if (event.kind === 'gap') printNote(missingHereText(null));
        this.#seq = event.kind === 'gap' ? event.nextSeq - 1 : event.seq;
        if (event.kind === 'exited') exited(event.exitCode);
      }
    } catch (error) {
      if (!this.#isStopped) throw error;
    }
    return this.#isStopped ? 'stopped' : 'closed';
  }
}

/** Writes the output; resolves with true when stdout cannot be written. Output for a closed stderr is dropped. */
async function isBroken({ stream, bytes }: ProcessEvent & { readonly kind: 'output' }): Promise<boolean> {
  const target = stream === 'stderr' ? process.stderr : process.stdout;
  const error = await new Promise<Error | null | undefined>((resolve) => {
    target.write(bytes, resolve);
  });
  return Boolean(error) && target === process.stdout;
}
