// A process of a fault run: the events that its two readers receive, and the actions performed on it.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConnectionLost,
  NotOnline,
  RequestError,
  type ExecClient,
  type OutputSink,
  type RemoteProcess,
  type WriteOutcome,
} from '../../client/exec-client.ts';
import type { OwnProcess } from '../../client/own-process.ts';
import type { SessionClient } from '../../client/session-client.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { fromOwner, recordOf, type Given, type Story, type Written } from './oracle.ts';
import type { Deed, PlannedProcess, Who } from './plan.ts';
import { END_OF_INPUT, type Report } from './printer.ts';
import { retried } from '../../server/testing/retried.ts';

export interface FaultClients {
  readonly owner: SessionClient;
  readonly watcher: ExecClient;
}

export class FollowedProcess {
  readonly planned: PlannedProcess;
  /** Number of times that the watcher lost its connection and reconnected. */
  reconnects = 0;
  readonly #clients: FaultClients;
  readonly #writes: Written[] = [];
  readonly #interrupts = { asked: 0, done: 0 };
  readonly #begun = promise();
  readonly #ended: Promise<unknown>[] = [];
  #own: OwnProcess | null = null;
  #remote: RemoteProcess | null = null;
  #ownerGiven: Given[] | null = null;
  #watcherGiven: Given[] | null = null;
  #isKilled = false;
  #outputBytes = Number.NaN;
  #report: Report | null = null;

  constructor(planned: PlannedProcess, clients: FaultClients) {
    this.planned = planned;
    this.#clients = clients;
  }

  get story(): Story {
    return {
      planned: this.planned,
      isKilled: this.#isKilled,
      outputBytes: this.#outputBytes,
      owner: this.#ownerGiven,
      watcher: this.#watcherGiven,
      writes: this.#writes,
      interrupts: this.#interrupts,
      report: this.#report,
    };
  }

  /** Description of the state, for debugging a process that does not end. */
  get state(): string {
    const last = (given: Given[] | null): string => {
      const { length } = given ?? [];
      return given ? `${length} events, the last ${given.at(-1)?.kind ?? 'none'}` : 'none';
    };
    const open = this.#writes.filter(({ outcome }) => outcome === null).length;
    return (
      `${this.planned.tty ? 'tty' : 'pipes'}: owner ${last(this.#ownerGiven)}, watcher ${last(this.#watcherGiven)}, ` +
      `${open} writes unanswered`
    );
  }

  ownedBy(process: OwnProcess): void {
    this.#own = process;
    this.#ownerGiven = [];
    this.#ended.push(this.#read(process, this.#ownerGiven));
  }

  watchedAs(remote: RemoteProcess): void {
    this.#remote = remote;
    this.#watcherGiven = [];
    this.#ended.push(this.#follow(remote, this.#watcherGiven));
  }

  async watch(): Promise<void> {
    this.watchedAs(this.#clients.watcher.processes.attach(await this.key()));
  }

  async key(): Promise<string> {
    if (this.#remote) return this.#remote.key;
    const { processes } = this.#clients.watcher;
    for (;;) {
      const info = processes.list().find(({ processId }) => processId === this.#own?.processId);
      if (info) return info.key;
      await new Promise<void>((resolve) => {
        const undo = processes.onChanged(() => {
          undo();
          resolve();
        });
      });
    }
  }

  /** Resolves when the process has printed something, or has ended. */
  hasBegun(): Promise<void> {
    return this.#begun.made;
  }

  async hasEnded(): Promise<void> {
    await Promise.all(this.#ended);
  }

  over(outputBytes: number, report: Report | null): void {
    this.#outputBytes = outputBytes;
    this.#report = report;
  }

  async perform(deed: Deed): Promise<void> {
    switch (deed.kind) {
      case 'write':
        await this.#write(this.#whoOf(deed.who), deed.bytes);
        return;
      case 'interrupt':
        await this.#interrupt(this.#whoOf(deed.who));
        return;
      case 'resize':
        await this.#resize(this.#whoOf(deed.who));
        return;
      case 'kill':
        this.#isKilled = true;
        await this.#untilHeard((own, remote) => own?.terminate() ?? remote?.terminate(0));
    }
  }

  /** Ends the input of the process; nothing more will be written. */
  async endInput(): Promise<void> {
    if (!this.planned.readsStdin) return;
    const end = Buffer.from(END_OF_INPUT);
    for (;;) {
      const outcome = await this.#untilHeard((own, remote): Promise<WriteOutcome> | undefined =>
        this.planned.tty ? (own ?? remote)?.write(end) : (own ?? remote)?.closeStdin(),
      );
      if (outcome !== 'inDoubt') return;
    }
  }

  /** Returns the planned client, or the other one if the planned one does not have this process. */
  #whoOf(who: Who): Who {
    if (!this.#own) return 'watcher';
    return this.#remote ? who : 'owner';
  }

  async #write(who: Who, bytes: number): Promise<void> {
    const number = this.#writes.length;
    const write: Written = { who, number, record: recordOf(who, number, bytes), outcome: null };
    this.#writes.push(write);
    const data = Buffer.from(write.record);
    try {
      write.outcome = (await (who === 'owner' ? this.#own : this.#remote)?.write(data)) ?? null;
    } catch (error) {
      if (!(error instanceof NotOnline)) throw error;
      write.outcome = 'notSent';
    }
  }

  /** Interrupts once: a signal that may have arrived is not sent again. */
  async #interrupt(who: Who): Promise<void> {
    this.#interrupts.asked += 1;
    try {
      await (who === 'owner' ? this.#own?.interrupt() : this.#remote?.signal('interrupt'));
      this.#interrupts.done += 1;
    } catch (error) {
      if (error instanceof NotOnline) this.#interrupts.asked -= 1;
      else if (!(error instanceof ConnectionLost)) throw error;
    }
  }

  async #resize(who: Who): Promise<void> {
    const size = { rows: 20 + this.#writes.length, cols: 80 + this.#interrupts.asked };
    try {
      await (who === 'owner' ? this.#own?.resize(size) : this.#remote?.resize(size));
    } catch (error) {
      const isLost = error instanceof NotOnline || error instanceof ConnectionLost;
      const isRefused = error instanceof RequestError && error.code === ErrorCode.notController;
      if (!isLost && !isRefused) throw error;
    }
  }

  #untilHeard<T>(
    work: (own: OwnProcess | null, remote: RemoteProcess | null) => Promise<T> | undefined,
  ): Promise<T> {
    const { owner, watcher } = this.#clients;
    return retried((this.#own ? owner : watcher).connection, async () => {
      const done = work(this.#own, this.#remote);
      if (!done) throw new Error('invariant violation: no client follows the process');
      return done;
    });
  }

  async #read(process: OwnProcess, given: Given[]): Promise<void> {
    for await (const event of process.events()) {
      given.push(fromOwner(event));
      this.#begun.make();
      if (this.planned.slowMs > 0 && given.length % 3 === 0) await sleep(this.planned.slowMs);
    }
  }

  #follow(remote: RemoteProcess, given: Given[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const sink: OutputSink = {
        output: (output, drawn) => {
          given.push({ kind: 'output', ...output });
          this.#begun.make();
          if (this.planned.slowMs > 0 && given.length % 3 === 0) setTimeout(drawn, this.planned.slowMs);
          else drawn();
        },
        gap: (gap) => given.push({ kind: 'gap', ...gap }),
        resized: () => undefined,
        exited: ({ exitCode }) => given.push({ kind: 'exited', exitCode }),
        closed: () => {
          given.push({ kind: 'closed' });
          this.#begun.make();
          resolve();
        },
        reconnected: () => (this.reconnects += 1),
        refused: reject,
      };
      remote.follow(sink);
    });
  }
}

function promise(): { readonly made: Promise<void>; readonly make: () => void } {
  let make = (): void => undefined;
  const made = new Promise<void>((resolve) => (make = resolve));
  return { made, make };
}
