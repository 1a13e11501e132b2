// Follows what happens: what is news, what happened while nobody was there, and up to where somebody has seen it.
import type { Activity, ActivitySince } from '../../../protocol/activity.ts';
import type { ConsoleChanged } from '../../../protocol/console.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { ofThisGateway, readStored, writeStored } from '../page/storage.ts';
import { absenceOf } from './absence.ts';
import { addRung, attentionStore, forgetRung } from './attention-store.ts';
import { newsOf } from './cause.ts';
import type { Notifier } from './notifier.ts';

const STORED = ofThisGateway('exec-console.seen-change');

/** Who was away for less has missed nothing that they would want summed up. */
const SHORTEST_ABSENCE_MS = 60_000;

/** As many as the gateway keeps. */
const MOST_ENTRIES = 10_000;

export interface Seen {
  readonly change: number;
  readonly atMs: number;
}

/** Up to where this browser's person has seen what happened; null when they have never been here. */
export function seenBefore(): Seen | null {
  return readStored(STORED, (value) => {
    const { change, atMs } = (value ?? {}) as Partial<Record<keyof Seen, unknown>>;
    return Number.isSafeInteger(change) && typeof atMs === 'number'
      ? { change: change as number, atMs }
      : null;
  });
}

export interface AttentionFeedOptions {
  readonly client: ExecClient;
  readonly notifier: Notifier;
  /** See `seenBefore`; the client asks for what came after it. */
  readonly seen: Seen | null;
  /** Whether the page can be seen. */
  readonly isVisible: () => boolean;
  /** The process whose pane is being looked at, if any. */
  readonly lookedAt: () => string | null;
  /** A process's bell rings now. */
  readonly rings: (key: string) => void;
}

/** As long as the page. */
export class AttentionFeed {
  readonly #options: AttentionFeedOptions;
  /** Since when nobody was there; null while somebody is. */
  #awaySinceMs: number | null;
  #missed: readonly Activity[] = [];
  #isComplete = true;
  #change: number | null;
  /** Whether what comes next happened before it was connected. */
  #isCatchingUp = true;

  constructor(options: AttentionFeedOptions) {
    this.#options = options;
    this.#change = options.seen?.change ?? null;
    this.#awaySinceMs = options.seen?.atMs ?? Date.now();
    const { connection, processes } = options.client;
    connection.onState(({ kind }) => {
      if (kind === 'online') return;
      this.#isCatchingUp = true;
      this.#leave();
    });
    processes.onChanged((change) => this.#follow(change));
  }

  /** To be called when `isVisible` is another, and when another pane is looked at. */
  looked(): void {
    const { client, isVisible, lookedAt } = this.#options;
    if (!isVisible()) return this.#leave();
    const key = lookedAt();
    if (key !== null) forgetRung([key]);
    if (client.connection.state.kind === 'online') this.#arrive();
  }

  /** Forgets the summary alone: what nobody has opened still needs attention. */
  dismiss(): void {
    this.#missed = [];
    attentionStore.setState({ absence: null });
  }

  #follow({ activity, removed }: ConsoleChanged): void {
    if (removed) forgetRung(removed.keys);
    if (!activity) return;
    this.#add(activity);
    this.#isCatchingUp = false;
    if (this.#options.isVisible()) this.#arrive();
  }

  #add({ change, entries, isComplete }: ActivitySince): void {
    const { client, notifier, lookedAt, isVisible, rings } = this.#options;
    this.#change = change;
    if (this.#awaySinceMs !== null) {
      this.#missed = [...this.#missed, ...entries].slice(-MOST_ENTRIES);
      this.#isComplete &&= isComplete;
    }
    for (const entry of entries) {
      const news = newsOf(entry, client.processes.get(entry.key));
      if (!news) continue;
      notifier.tell(news);
      if (news.cause === 'bell' && !this.#isCatchingUp) rings(news.key);
      const isLookedAt = isVisible() && lookedAt() === news.key;
      if (news.cause === 'bell' && !isLookedAt) addRung(news.key);
    }
  }

  #leave(): void {
    this.#awaySinceMs ??= Date.now();
  }

  /** Somebody is there, and all that happened has been told. */
  #arrive(): void {
    const now = Date.now();
    const first = this.#missed[0]?.atMs ?? now;
    // A connection that was dead all night is found out only now: then what it missed tells since when.
    const sinceMs = Math.min(this.#awaySinceMs ?? now, first);
    if (this.#awaySinceMs !== null) this.#sumUp(sinceMs, now);
    this.#awaySinceMs = null;
    if (this.#change !== null) writeStored(STORED, { change: this.#change, atMs: now } satisfies Seen);
  }

  #sumUp(sinceMs: number, untilMs: number): void {
    const { processes } = this.#options.client;
    const { absence: before } = attentionStore.getState();
    const wasLong = untilMs - sinceMs >= SHORTEST_ABSENCE_MS;
    const since = { entries: this.#missed, isComplete: this.#isComplete };
    const times = { sinceMs: before?.sinceMs ?? sinceMs, untilMs };
    const absence = wasLong ? absenceOf(since, (key) => processes.get(key), times) : before;
    if (absence) attentionStore.setState({ absence });
    // What is shown and not read yet is summed up together with what comes.
    else this.#missed = [];
    this.#isComplete = true;
  }
}
