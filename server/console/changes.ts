// What watchers of the whole console are told: starts, exits and control soon, the rest once a while.
import type { ActivitySince, Person } from '../protocol/activity.ts';
import type { ConsoleChanged, GatewayHealth, ProcessInfo, SessionInfo } from '../protocol/console.ts';

export interface ChangesLimits {
  readonly changedSoonMs: number;
  readonly changedLaterMs: number;
}

export interface ChangesSource<P, S> {
  describeProcess(process: P): ProcessInfo;
  describeSession(session: S): SessionInfo;
  describeGateway(): GatewayHealth;
  describePeople(): readonly Person[];
  activitySince(change: number): ActivitySince;
}

/** Collects what changed while somebody watches; whole objects go out, each once however often it changed. */
export class Changes<P extends { readonly key: string }, S extends { readonly label: string }> {
  readonly #limits: ChangesLimits;
  readonly #source: ChangesSource<P, S>;
  readonly #watchers = new Set<(change: ConsoleChanged) => void>();
  readonly #processes = new Set<P>();
  readonly #sessions = new Set<S>();
  #hasGatewayChanged = false;
  #havePeopleChanged = false;
  /** The change after which something happened that is not told yet. */
  #activityAfter: number | null = null;
  readonly #removedKeys = new Set<string>();
  readonly #removedSessions = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #dueAt = 0;

  constructor(limits: ChangesLimits, source: ChangesSource<P, S>) {
    this.#limits = limits;
    this.#source = source;
  }

  watch(watcher: (change: ConsoleChanged) => void): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.close();
    };
  }

  processChanged(process: P, urgency: 'soon' | 'later'): void {
    this.#note(() => this.#processes.add(process), urgency);
  }

  gatewayChanged(): void {
    this.#note(() => (this.#hasGatewayChanged = true), 'soon');
  }

  peopleChanged(): void {
    this.#note(() => (this.#havePeopleChanged = true), 'soon');
  }

  /** The entry of number `change` was added. */
  activityAdded(change: number): void {
    this.#note(() => (this.#activityAfter ??= change - 1), 'soon');
  }

  sessionChanged(session: S): void {
    this.#note(() => this.#sessions.add(session), 'soon');
  }

  processRemoved(process: P): void {
    this.#processes.delete(process);
    this.#note(() => this.#removedKeys.add(process.key), 'soon');
  }

  sessionRemoved(session: S): void {
    this.#sessions.delete(session);
    this.#note(() => this.#removedSessions.add(session.label), 'soon');
  }

  /** Tells now what would be told soon: there may be no later. */
  flush(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#tell();
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#clear();
  }

  #note(add: () => void, urgency: 'soon' | 'later'): void {
    // A watcher begins with everything: what nobody watches need not be collected.
    if (this.#watchers.size === 0) return;
    add();
    const waitMs = urgency === 'soon' ? this.#limits.changedSoonMs : this.#limits.changedLaterMs;
    const dueAt = performance.now() + waitMs;
    if (this.#timer && this.#dueAt <= dueAt) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => this.#tell(), waitMs);
  }

  #tell(): void {
    this.#timer = null;
    const change: ConsoleChanged = {
      ...(this.#hasGatewayChanged && { gateway: this.#source.describeGateway() }),
      ...(this.#havePeopleChanged && { people: this.#source.describePeople() }),
      ...(this.#activityAfter !== null && { activity: this.#source.activitySince(this.#activityAfter) }),
      ...(this.#sessions.size > 0 && {
        sessions: [...this.#sessions].map((session) => this.#source.describeSession(session)),
      }),
      ...(this.#processes.size > 0 && {
        processes: [...this.#processes].map((process) => this.#source.describeProcess(process)),
      }),
      ...(this.#removedKeys.size + this.#removedSessions.size > 0 && {
        removed: { keys: [...this.#removedKeys], sessions: [...this.#removedSessions] },
      }),
    };
    this.#clear();
    for (const watcher of this.#watchers) watcher(change);
  }

  #clear(): void {
    this.#hasGatewayChanged = false;
    this.#havePeopleChanged = false;
    this.#activityAfter = null;
    this.#processes.clear();
    this.#sessions.clear();
    this.#removedKeys.clear();
    this.#removedSessions.clear();
  }
}
