// CPU and memory usage of processes, requested only for followed processes, and only while the page is visible.
import type { ProcessUsage, TreeProcess } from '../../../protocol/looks.ts';
import { SightReport, type SightReportOptions } from './sight-report.ts';

export interface UsageSample {
  /** CPU in cores: 2 means two busy cores. Null in the first sample. */
  readonly cpu: number | null;
  readonly memoryBytes: number;
}

/** Recent usage of one process. */
export interface Used {
  /** Samples, about one per second, oldest first. */
  readonly samples: readonly UsageSample[];
  readonly processes: number;
  readonly ports: ProcessUsage['ports'];
  /** OS processes, parents first; absent until the gateway has sent them. */
  readonly tree?: readonly TreeProcess[];
}

/** Samples in the graph of a row, covering one minute. */
export const MOST_SAMPLES = 60;
/** Samples stored per process, covering five minutes. */
export const STORED_SAMPLES = 300;
/** Maximum number of processes per request, as limited by the protocol. */
const MOST_KEYS = 1000;
/** Delay before a request: scrolling changes the visible processes many times a second. */
const ASK_AFTER_MS = 100;

type Listener = () => void;

export interface UsageFeedOptions extends SightReportOptions {
  readonly isHidden: () => boolean;
}

export class UsageFeed {
  readonly #options: UsageFeedOptions;
  readonly #followers = new Map<string, Set<Listener>>();
  readonly #used = new Map<string, Used>();
  readonly #reported = new Set<Listener>();
  /** Listeners of `measure`, whose processes may be out of view. */
  readonly #measuring = new Set<Listener>();
  /** Reports the followed processes as the visible ones, except those that are only measured. */
  readonly #sight: SightReport;
  /** Key of the process whose tree is shown. */
  #tree: string | null = null;
  #asked = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: UsageFeedOptions) {
    this.#options = options;
    this.#sight = new SightReport(options);
  }

  /** Starts the feed, which lives as long as the page. Call this once. */
  start(): void {
    const { connection } = this.#options.client;
    connection.onNotification((method, params) => {
      if (method === 'console/usageChanged') this.#take(params);
    });
    connection.onState(({ kind }) => {
      // A new connection starts without a request, and earlier samples are not continued.
      this.#asked = '';
      this.#sight.connectionChanged(kind === 'online');
      if (kind === 'online') this.#ask();
      else this.#forgetExcept(new Set());
    });
  }

  /** Updates the request; call this when the page is hidden or shown again. */
  visibilityChanged(): void {
    this.#ask();
  }

  /**
   * Calls `listener` after each new sample of the process, and when its samples are dropped. Returns a function that
   * removes the listener.
   */
  follow(key: string, listener: Listener): () => void {
    const listeners = this.#followers.get(key) ?? new Set();
    this.#followers.set(key, listeners.add(listener));
    this.#askSoon();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#followers.get(key) === listeners) this.#followers.delete(key);
      this.#askSoon();
    };
  }

  /** Requests the usage of processes that may be out of view, to sort them. Returns a function that ends this. */
  measure(keys: readonly string[]): () => void {
    const listener = (): void => {};
    this.#measuring.add(listener);
    const undo = keys.map((key) => this.follow(key, listener));
    return () => {
      for (const each of undo) each();
      this.#measuring.delete(listener);
    };
  }

  /** Requests the tree of this followed process as well, instead of any other. Returns a function that ends this. */
  followTree(key: string): () => void {
    this.#tree = key;
    this.#askSoon();
    return () => {
      if (this.#tree !== key) return;
      this.#tree = null;
      this.#askSoon();
    };
  }

  /** Returns the usage; undefined until the gateway has sent any. */
  get(key: string): Used | undefined {
    return this.#used.get(key);
  }

  /** Returns the highest recent memory usage of any followed process: the common scale of all graphs. */
  mostMemoryBytes(): number {
    let most = 0;
    for (const { samples } of this.#used.values()) {
      for (const { memoryBytes } of samples.slice(-MOST_SAMPLES)) most = Math.max(most, memoryBytes);
    }
    return most;
  }

  /** Calls `listener` after each usage report of the gateway. Returns a function that removes the listener. */
  onUpdate(listener: Listener): () => void {
    this.#reported.add(listener);
    return () => this.#reported.delete(listener);
  }

  #askSoon(): void {
    // Later calls do not postpone the request: if processes started constantly, it would never be sent.
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#ask();
    }, ASK_AFTER_MS);
  }

  #ask(): void {
    const { client } = this.#options;
    const isHidden = this.#options.isHidden();
    const keys = isHidden ? [] : [...this.#followers.keys()].slice(0, MOST_KEYS);
    const wanted = new Set(keys);
    this.#forgetExcept(wanted);
    const tree = this.#tree !== null && wanted.has(this.#tree) ? { tree: this.#tree } : {};
    const asked = [...keys.toSorted(), tree.tree ?? ''].join(' ');
    if (client.connection.state.kind !== 'online') return;
    this.#sight.sendSight(keys.filter(this.#isInView), isHidden);
    if (asked === this.#asked) return;
    this.#asked = asked;
    client.connection.request('console/usage', { keys, ...tree }).then(
      () => undefined,
      // A failed request is repeated at the next change.
      () => {
        if (this.#asked === asked) this.#asked = '';
      },
    );
  }

  #take(params: unknown): void {
    const { usage } = (params ?? {}) as { readonly usage?: unknown };
    // Samples in flight when the page was hidden are dropped: the graph must not continue from them later.
    if (!Array.isArray(usage) || this.#options.isHidden()) return;
    const changed: Listener[] = [];
    for (const { key, cpu, memoryBytes, processes, ports, tree } of usage.filter(isUsage)) {
      const listeners = this.#followers.get(key);
      if (!listeners) continue;
      const samples = [...(this.#used.get(key)?.samples ?? []), { cpu, memoryBytes }].slice(-STORED_SAMPLES);
      this.#used.set(key, { samples, processes, ports, ...(tree && { tree }) });
      changed.push(...listeners);
    }
    // All samples are stored before any listener runs, since the largest value determines the scale of every graph.
    for (const listener of changed) listener();
    for (const listener of this.#reported) listener();
  }

  readonly #isInView = (key: string): boolean =>
    [...(this.#followers.get(key) ?? [])].some((listener) => !this.#measuring.has(listener));

  /** Drops the samples of all other processes: a graph across a gap would suggest that nothing was used in between. */
  #forgetExcept(wanted: ReadonlySet<string>): void {
    const dropped = [...this.#used.keys()].filter((key) => !wanted.has(key));
    for (const key of dropped) this.#used.delete(key);
    for (const key of dropped) for (const listener of this.#followers.get(key) ?? []) listener();
  }
}

function isUsage(value: unknown): value is ProcessUsage {
  const { key, cpu, memoryBytes, processes, ports, tree } = (value ?? {}) as Partial<ProcessUsage>;
  const isPort = (each: unknown): boolean => {
    const { port, address } = (each ?? {}) as { readonly port?: unknown; readonly address?: unknown };
    return Number.isInteger(port) && typeof address === 'string';
  };
  return (
    typeof key === 'string' &&
    (cpu === null || Number.isFinite(cpu)) &&
    Number.isFinite(memoryBytes) &&
    Number.isInteger(processes) &&
    Array.isArray(ports) &&
    ports.every(isPort) &&
    (tree === undefined || (Array.isArray(tree) && tree.every(isTreeProcess)))
  );
}

function isTreeProcess(value: unknown): value is TreeProcess {
  const { pid, parent, name, cpu, memoryBytes } = (value ?? {}) as Partial<TreeProcess>;
  return (
    Number.isInteger(pid) &&
    Number.isInteger(parent) &&
    typeof name === 'string' &&
    (cpu === null || Number.isFinite(cpu)) &&
    Number.isFinite(memoryBytes)
  );
}
