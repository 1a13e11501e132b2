// Browser notifications for a person who looks elsewhere: few, one for each process, many at once as one.
import type { Cause, News } from './cause.ts';

/** Delay in which news is gathered for one notification. */
const GATHER_MS = 1000;
/** Shortest interval between two notifications. */
const EVERY_MS = 5000;
/** Most notifications at once; more become one summary. */
const MOST_AT_ONCE = 3;

export interface Shown {
  readonly title: string;
  readonly body: string;
  /** Tag: a later notification of the same tag replaces this one. */
  readonly tag: string;
  /** The process or request to open; null for several. */
  readonly key: string | null;
  /** True when a request for approval is among them. */
  readonly isRequest: boolean;
}

export interface NotifierOptions {
  /** Returns true when nobody views the page. */
  readonly isAway: () => boolean;
  readonly isWanted: (cause: Cause) => boolean;
  readonly show: (shown: Shown) => void;
}

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #gathered = new Map<string, News>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shownAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  tell(news: News): void {
    if (!this.#options.isAway() || !this.#options.isWanted(news.cause)) return;
    this.#gathered.set(news.key, news);
    const waitMs = Math.max(GATHER_MS, this.#shownAtMs + EVERY_MS - performance.now());
    this.#timer ??= setTimeout(() => this.#show(), waitMs);
  }

  /** Drops pending notifications, since the person sees the page. */
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
    this.#shownAtMs = performance.now();
    const all = [...this.#gathered.values()];
    this.#gathered.clear();
    const { show } = this.#options;
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
  approval: (count) => `${count} waiting for approval`,
  failed: (count) => `${count} failed`,
  waits: (count) => `${count} waiting for input`,
  notification: (count) => `${count} notified`,
  ended: (count) => `${count} ended`,
  bell: (count) => `${count} rang`,
};

/** Returns `2 failed, 3 ended`, the most urgent first. */
export function summary(all: readonly Pick<News, 'cause'>[]): string {
  return (Object.keys(WORDS) as Cause[])
    .map((cause) => ({ cause, count: all.filter((each) => each.cause === cause).length }))
    .filter(({ count }) => count > 0)
    .map(({ cause, count }) => WORDS[cause](count))
    .join(', ');
}
