// What processes use of the machine, only of those that somebody looks at, and only while the page can be seen.
import type { ProcessUsage } from '../../../protocol/looks.ts';
import { SightReport, type SightReportOptions } from './sight-report.ts';

export interface UsageSample {
  /** Of one core: 2 is two cores busy. Null at the first look. */
  readonly cpu: number | null;
  readonly memoryBytes: number;
}

/** What one process has used lately. */
export interface Used {
  /** About one a second, the oldest first. */
  readonly samples: readonly UsageSample[];
  readonly processes: number;
  readonly ports: ProcessUsage['ports'];
}

/** What a graph shows: a minute. */
export const MOST_SAMPLES = 60;
/** The gateway tells one connection of no more. */
const MOST_KEYS = 1000;
/** Scrolling changes what is looked at many times a second. */
const ASK_AFTER_MS = 100;

type Listener = () => void;

export interface UsageFeedOptions extends SightReportOptions {
  /** Whether nobody can see the page. */
  readonly isHidden: () => boolean;
}

export class UsageFeed {
  readonly #options: UsageFeedOptions;
  readonly #followers = new Map<string, Set<Listener>>();
  readonly #used = new Map<string, Used>();
  readonly #told = new Set<Listener>();
  /** Who is followed here is in sight. */
  readonly #sight: SightReport;
  #asked = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: UsageFeedOptions) {
    this.#options = options;
    this.#sight = new SightReport(options);
  }

  /** Once; it lives as long as the page. */
  start(): void {
    const { connection } = this.#options.client;
    connection.onTold((method, params) => {
      if (method === 'console/usageChanged') this.#take(params);
    });
    connection.onState(({ kind }) => {
      // Another connection has asked for nothing yet; and what was used before it does not go on where it was.
      this.#asked = '';
      this.#sight.connectionChanged(kind === 'online');
      if (kind === 'online') this.#ask();
      else this.#forget();
    });
  }

  /** The page has been hidden or shown again. */
  visibilityChanged(): void {
    this.#ask();
  }

  /** `listener` is told whenever there is something new of the process. Returns its own undo. */
  follow(key: string, listener: Listener): () => void {
    const listeners = this.#followers.get(key) ?? new Set();
    this.#followers.set(key, listeners.add(listener));
    this.#askSoon();
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#followers.get(key) !== listeners) return;
      this.#followers.delete(key);
      this.#askSoon();
    };
  }

  /** Undefined until the gateway has told of it. */
  get(key: string): Used | undefined {
    return this.#used.get(key);
  }

  /** The most memory that any of those that are followed has used lately: the scale that all are drawn on. */
  mostMemoryBytes(): number {
    let most = 0;
    for (const { samples } of this.#used.values()) {
      for (const { memoryBytes } of samples) most = Math.max(most, memoryBytes);
    }
    return most;
  }

  /** `listener` is called after each telling, whomever it was of. Returns its own undo. */
  onTold(listener: Listener): () => void {
    this.#told.add(listener);
    return () => this.#told.delete(listener);
  }

  #askSoon(): void {
    // Not postponed by what comes meanwhile: where something starts all the time it would never be asked.
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
    // A graph with a hole in it would say that nothing was used meanwhile.
    const wanted = new Set(keys);
    for (const key of this.#used.keys()) if (!wanted.has(key)) this.#used.delete(key);
    const asked = keys.toSorted().join(' ');
    if (client.connection.state.kind !== 'online') return;
    this.#sight.tell(keys, isHidden);
    if (asked === this.#asked) return;
    this.#asked = asked;
    client.connection.request('console/usage', { keys }).then(
      () => undefined,
      // Refused or lost: then there is nothing new, and the next change asks again.
      () => {
        if (this.#asked === asked) this.#asked = '';
      },
    );
  }

  #take(params: unknown): void {
    const { usage } = (params ?? {}) as { readonly usage?: unknown };
    // What was on its way when the page was hidden: a graph would go on from it once it is shown again.
    if (!Array.isArray(usage) || this.#options.isHidden()) return;
    const changed: Listener[] = [];
    for (const { key, cpu, memoryBytes, processes, ports } of usage.filter(isUsage)) {
      const listeners = this.#followers.get(key);
      if (!listeners) continue;
      const samples = [...(this.#used.get(key)?.samples ?? []), { cpu, memoryBytes }].slice(-MOST_SAMPLES);
      this.#used.set(key, { samples, processes, ports });
      changed.push(...listeners);
    }
    // All of them first: each is drawn on the scale of the largest.
    for (const listener of changed) listener();
    for (const listener of this.#told) listener();
  }

  /** A graph that goes on after a hole would say that nothing was used meanwhile. */
  #forget(): void {
    const listeners = [...this.#used.keys()].flatMap((key) => [...(this.#followers.get(key) ?? [])]);
    this.#used.clear();
    for (const listener of listeners) listener();
  }
}

function isUsage(value: unknown): value is ProcessUsage {
  const { key, cpu, memoryBytes, processes, ports } = (value ?? {}) as Partial<ProcessUsage>;
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
    ports.every(isPort)
  );
}
