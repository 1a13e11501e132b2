// Activity for people who were away: starts, exits and requests for attention, numbered.
import type { Activity, ActivitySince } from '../../protocol/activity.ts';
import { RateLimit } from '../limits/rate-limit.ts';

export interface ActivityLimits {
  readonly activities: number;
  readonly attentionBurst: number;
  readonly attentionMs: number;
}

/**
 * Change numbers reserved for each millisecond of runtime, more than a gateway uses, so that a gateway that starts
 * later has higher numbers.
 */
export const CHANGES_PER_MS = 1000;

export class ActivityLog {
  readonly #limits: ActivityLimits;
  readonly #added: (change: number) => void;
  /** Numbers begin at the gateway's start time, so that those of earlier gateways are not repeated. */
  #change = Date.now() * CHANGES_PER_MS;
  #entries: Activity[] = [];
  readonly #allowances = new Map<string, RateLimit>();

  /** `added`: called with the number of each new entry. */
  constructor(limits: ActivityLimits, added: (change: number) => void) {
    this.#limits = limits;
    this.#added = added;
  }

  /** Number of the newest entry, or, before the first entry, the number that precedes it. */
  get change(): number {
    return this.#change;
  }

  add(key: string, what: Exclude<Activity['what'], 'bell' | 'notification'>): void {
    this.#add({ key, what });
  }

  /** Adds a notification, or a bell when `text` is null, unless the process exceeds its rate. */
  addAttention(key: string, text: string | null): void {
    if (!this.#mayNotify(key)) return;
    this.#add(text === null ? { key, what: 'bell' } : { key, what: 'notification', text });
  }

  since(change: number): ActivitySince {
    const oldest = this.#entries[0]?.change ?? this.#change + 1;
    const later = this.#entries.slice(Math.max(0, change + 1 - oldest));
    const entries = later.slice(-this.#limits.activities);
    // An unknown number is from another gateway, or entries after it have been evicted.
    const isKnown = change + 1 >= oldest && change <= this.#change;
    return { change: this.#change, entries, isComplete: isKnown && entries.length === later.length };
  }

  /** Removes the rate limit of a forgotten process; its entries are retained. */
  forget(key: string): void {
    this.#allowances.delete(key);
  }

  #add(entry: Pick<Activity, 'key' | 'what' | 'text'>): void {
    this.#change += 1;
    this.#entries.push({ change: this.#change, atMs: Date.now(), ...entry });
    // Entries are evicted in batches, so that the average cost stays constant.
    if (this.#entries.length >= 2 * this.#limits.activities) {
      this.#entries = this.#entries.slice(-this.#limits.activities);
    }
    this.#added(this.#change);
  }

  #mayNotify(key: string): boolean {
    const { attentionBurst: burst, attentionMs: everyMs } = this.#limits;
    const allowance = this.#allowances.get(key) ?? new RateLimit({ burst, everyMs });
    this.#allowances.set(key, allowance);
    return allowance.take();
  }
}
