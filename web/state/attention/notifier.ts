// Browser notifications for a person who is not viewing the page: at a limited rate, one per process, and
// combined into a summary when there are many.
import { numberText } from '../../../text/amounts.ts';
import type { Cause, AttentionItem } from './cause.ts';

/** Time for collecting changes before a notification. */
const GATHER_MS = 1000;
/** Minimum interval between notifications. */
const EVERY_MS = 5000;
/** Maximum number of notifications at once; more are combined into a summary. */
const MOST_AT_ONCE = 3;

export interface Shown {
  readonly title: string;
  readonly body: string;
  /** Notification tag: a later notification with the same tag replaces this one. */
  readonly tag: string;
  /** Key of the process or id of the request to open; null for a summary. */
  readonly key: string | null;
  /** True when the notification is about an approval request or, for a summary, about at least one. */
  readonly isRequest: boolean;
}

export interface NotifierOptions {
  /** Returns true when nobody views the page. */
  readonly isAway: () => boolean;
  readonly isWanted: (cause: Cause) => boolean;
  /** Returns false when the item is out of date, such as a request that was decided in the meantime. */
  readonly isCurrent: (item: AttentionItem) => boolean;
  readonly show: (shown: Shown) => void;
}

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #gathered = new Map<string, AttentionItem>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shownAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  report(item: AttentionItem): void {
    if (!this.#options.isAway() || !this.#options.isWanted(item.cause)) return;
    this.#gathered.set(item.key, item);
    const waitMs = Math.max(GATHER_MS, this.#shownAtMs + EVERY_MS - performance.now());
    this.#timer ??= setTimeout(() => this.#show(), waitMs);
  }

  /** Drops pending notifications, since the person now sees the page. */
  back(): void {
    this.stop();
    this.#gathered.clear();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #show(): void {
    this.#timer = undefined;
    const { show, isCurrent } = this.#options;
    const all = [...this.#gathered.values()].filter(isCurrent);
    this.#gathered.clear();
    if (all.length === 0) return;
    this.#shownAtMs = performance.now();
    if (all.length > MOST_AT_ONCE) {
      const body = all.map(({ name }) => name).join(', ');
      const isRequest = all.some(({ cause }) => cause === 'approval');
      show({ title: summary(all), body, tag: 'many', key: null, isRequest });
    } else {
      for (const { key, name, text, cause } of all)
        show({ title: name, body: text, tag: key, key, isRequest: cause === 'approval' });
    }
  }
}

const WORDS: { readonly [cause in Cause]: (count: number) => string } = {
  approval: (count) => `${numberText(count)} waiting for approval`,
  failed: (count) => `${numberText(count)} failed`,
  waits: (count) => `${numberText(count)} waiting for input`,
  notification: (count) => `${numberText(count)} notified`,
  ended: (count) => `${numberText(count)} ended`,
  bell: (count) => `${numberText(count)} rang ${count === 1 ? 'its bell' : 'their bells'}`,
};

/** Returns for example `2 failed, 3 ended`, most urgent first. */
export function summary(all: readonly Pick<AttentionItem, 'cause'>[]): string {
  return (Object.keys(WORDS) as Cause[])
    .map((cause) => ({ cause, count: all.filter((each) => each.cause === cause).length }))
    .filter(({ count }) => count > 0)
    .map(({ cause, count }) => WORDS[cause](count))
    .join(', ');
}
