// Activity feed: notifications, the summary of an absence, and the position up to which the user has seen the activity.
import type { Activity, ActivitySince } from '../../../protocol/activity.ts';
import type { ConsoleChanged } from '../../../protocol/console.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { ofThisGateway, readStored, writeStored } from '../page/storage.ts';
import { absenceOf } from './absence.ts';
import { addRung, attentionStore, forgetRung } from './attention-store.ts';
import { attentionItemOf } from './cause.ts';
import type { Notifier } from './notifier.ts';

const STORED = ofThisGateway('exec-console.seen-change');

/** Minimum length of an absence that is summarized. */
const SHORTEST_ABSENCE_MS = 60_000;

/** Maximum number of activity entries retained during an absence, the same as the gateway's limit. */
const MOST_ENTRIES = 10_000;

export interface Seen {
  readonly change: number;
  readonly atMs: number;
}

/** Returns the position up to which this browser's user has seen the activity; null on the first visit. */
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
  /** Result of `seenBefore`; the client requests the activity after it. */
  readonly seen: Seen | null;
  readonly isVisible: () => boolean;
  /** Returns the key of the process whose pane is being viewed, or null. */
  readonly lookedAt: () => string | null;
  /** Called when the bell of a process rings, but not for bells that rang before the connection. */
  readonly rings: (key: string) => void;
}

/** Follows the gateway's activity for the lifetime of the page. */
export class AttentionFeed {
  readonly #options: AttentionFeedOptions;
  /** Time at which the absence began; null while there is none. */
  #awaySinceMs: number | null;
  #missed: readonly Activity[] = [];
  #isComplete = true;
  #change: number | null;
  /** True while the next activity to arrive is from before the connection. */
  #isCatchingUp = true;

  constructor(options: AttentionFeedOptions) {
    this.#options = options;
    this.#change = options.seen?.change ?? null;
    attentionStore.setState({ lastHereMs: options.seen?.atMs ?? null });
    this.#awaySinceMs = options.seen?.atMs ?? Date.now();
    const { connection, processes } = options.client;
    connection.onState(({ kind }) => {
      if (kind === 'online') return;
      this.#isCatchingUp = true;
      this.leave();
    });
    processes.onChanged((change) => this.#follow(change));
  }

  /** Starts or ends an absence; call this when the result of `isVisible` changes, and when another pane is viewed. */
  looked(): void {
    const { client, isVisible, lookedAt } = this.#options;
    if (!isVisible()) return this.leave();
    const key = lookedAt();
    if (key !== null) forgetRung([key]);
    if (client.connection.state.kind === 'online' && !this.#isCatchingUp) this.#arrive();
  }

  /** Removes only the summary: processes that were not opened still need attention. */
  dismiss(): void {
    this.#forgetMissed();
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
      const missed = [...this.#missed, ...entries];
      this.#missed = missed.slice(-MOST_ENTRIES);
      this.#isComplete &&= isComplete && missed.length <= MOST_ENTRIES;
    }
    for (const entry of entries) {
      const item = attentionItemOf(entry, client.processes.get(entry.key));
      if (!item) continue;
      notifier.report(item);
      if (item.cause === 'bell' && !this.#isCatchingUp) rings(item.key);
      const isLookedAt = isVisible() && lookedAt() === item.key;
      if (item.cause === 'bell' && !isLookedAt) addRung(item.key);
    }
  }

  /**
   * Begins an absence at the current time, even if the last activity was hours ago; call this when the page is closed
   * or reloaded, since not every browser hides the page first.
   */
  leave(): void {
    if (this.#awaySinceMs !== null) return;
    this.#awaySinceMs = Date.now();
    this.#store(this.#awaySinceMs);
  }

  #store(atMs: number): void {
    if (this.#change !== null) writeStored(STORED, { change: this.#change, atMs } satisfies Seen);
  }

  /** Ends the absence; called when the user views the page and the activity of that time has arrived. */
  #arrive(): void {
    const now = Date.now();
    const first = this.#missed[0]?.atMs ?? now;
    // The absence began no later than its first entry; the page may have noticed a dead connection only much later.
    const sinceMs = Math.min(this.#awaySinceMs ?? now, first);
    if (this.#awaySinceMs !== null) this.#sumUp(sinceMs, now);
    this.#awaySinceMs = null;
    this.#store(now);
  }

  #sumUp(sinceMs: number, untilMs: number): void {
    const { processes } = this.#options.client;
    const { absence: before } = attentionStore.getState();
    const wasLong = untilMs - sinceMs >= SHORTEST_ABSENCE_MS;
    if (wasLong) attentionStore.setState({ lastHereMs: sinceMs });
    const since = { entries: this.#missed, isComplete: this.#isComplete };
    const times = { sinceMs: before?.sinceMs ?? sinceMs, untilMs };
    const absence = wasLong ? absenceOf(since, (key) => processes.get(key), times) : before;
    if (absence) attentionStore.setState({ absence });
    // The activity of an unread summary is retained, so that the next summary includes it.
    else this.#forgetMissed();
  }

  #forgetMissed(): void {
    this.#missed = [];
    this.#isComplete = true;
  }
}
