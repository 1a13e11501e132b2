// Measures the resource usage of processes, only of those that a connection has requested.
import type { ProcessUsage } from '../../protocol/looks.ts';
import { pageBytes } from '../host/libc.ts';
import type { ProcessView } from '../keeper/process-view.ts';
import { startThread, type Thread } from '../host/start-thread.ts';
import type { SessionUsage, Wanted } from './sampler.ts';

export interface UsageLimits {
  readonly usageMs: number;
  readonly portsMs: number;
}

type Listener = (usages: readonly ProcessUsage[]) => void;

interface Looked {
  readonly processes: readonly ProcessView[];
  /** Key of the process whose tree is requested; null for none. */
  readonly tree: string | null;
}

interface Looker extends Looked {
  readonly listener: Listener;
}

export class Usage {
  /** True on Linux, whose process table is the source of all usage. */
  static readonly isSupported = process.platform === 'linux';
  readonly #limits: UsageLimits;
  readonly #reportDefect: (error: Error) => void;
  readonly #lookers = new Set<Looker>();
  #worker: Thread | null = null;

  constructor(limits: UsageLimits, reportDefect: (error: Error) => void) {
    this.#limits = limits;
    this.#reportDefect = reportDefect;
  }

  /**
   * Calls `listener` every `usageMs` with the usage of the requested processes that are not closed, but not while there
   * are none; never outside Linux. Returns a function that unsubscribes.
   */
  look(looked: Looked, listener: Listener): () => void {
    if (!Usage.isSupported) return () => {};
    const looker: Looker = { ...looked, listener };
    this.#lookers.add(looker);
    this.#ask();
    return () => {
      if (this.#lookers.delete(looker)) this.#ask();
    };
  }

  close(): void {
    this.#lookers.clear();
    void this.#worker?.terminate();
    this.#worker = null;
  }

  #ask(): void {
    const leaders = new Set<number>();
    const trees = new Set<number>();
    for (const { processes, tree } of this.#lookers) {
      for (const { key, pid } of processes) {
        leaders.add(pid);
        if (key === tree) trees.add(pid);
      }
    }
    if (leaders.size === 0 && !this.#worker) return;
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage({ leaders, trees } satisfies Wanted);
  }

  #start(): Thread {
    const { usageMs, portsMs } = this.#limits;
    const worker = startThread(new URL('usage-thread.ts', import.meta.url), {
      usageMs,
      portsMs,
      pageBytes,
    });
    worker.on('message', (usages: readonly SessionUsage[]) => this.#report(usages));
    worker.on('error', (error: Error) => {
      if (this.#worker === worker) this.#worker = null;
      this.#reportDefect(error);
    });
    return worker;
  }

  #report(usages: readonly SessionUsage[]): void {
    const byLeader = new Map(usages.map((usage) => [usage.leader, usage]));
    for (const { processes, tree: wanted, listener } of this.#lookers) {
      const reported = processes.flatMap((each) => {
        const usage = byLeader.get(each.pid);
        // The PID of an ended process may already belong to another one.
        if (!usage || each.isClosed) return [];
        const { leader: _, tree, ...rest } = usage;
        return [{ key: each.key, ...rest, ...(tree && each.key === wanted && { tree }) }];
      });
      if (reported.length > 0) listener(reported);
    }
  }
}
