// Audit log reader: newest entries first, older ones on request, new ones as they arrive.
import type { AuditEntry, AuditFilter, AuditResult } from '../../../protocol/audit.ts';
import { errorSentence } from '../../../text/error-text.ts';

export type RecordFilter = Pick<AuditFilter, 'key' | 'who' | 'act'>;

export interface RecordState {
  /** Entries, newest first. */
  readonly entries: readonly AuditEntry[];
  /** Entries that arrived while the person was reading further down; newest first. */
  readonly waiting: readonly AuditEntry[];
  /** True when the gateway may have older entries. */
  readonly hasOlder: boolean;
  /** True once the newest page has been read. */
  readonly isRead: boolean;
  readonly problem: string | null;
}

type Ask = (params: AuditFilter & { readonly limit: number }) => Promise<AuditResult>;

/**
 * Number of entries on the first page and on each page of older ones; the second value is the maximum per request.
 */
const PAGE = 200;
const LARGEST_PAGE = 1000;

/** Approximate maximum number of entries in memory; beyond it, new entries displace the oldest. */
const MOST_ENTRIES = 20_000;

const NOTHING: RecordState = { entries: [], waiting: [], hasOlder: false, isRead: false, problem: null };

export class RecordReader {
  readonly #ask: Ask;
  readonly #filter: RecordFilter;
  readonly #listeners = new Set<() => void>();
  #state = NOTHING;
  /** Request in flight; only one at a time, since responses must not overtake each other. */
  #asksFor: 'newer' | 'older' | null = null;
  /** True when older entries were requested while new ones were being read; the older ones are requested next. */
  #wantsOlder = false;
  #isHeld = false;

  constructor(ask: Ask, filter: RecordFilter) {
    this.#ask = ask;
    this.#filter = filter;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly current = (): RecordState => this.#state;

  /** Requests new entries, or the newest page while no entry is known. */
  async look(): Promise<void> {
    await this.#asking('newer', async () => {
      const before = this.#state;
      const newest = (before.waiting[0] ?? before.entries[0])?.number;
      if (!before.isRead || newest === undefined) {
        const first = await this.#page({}, PAGE);
        this.#change({ entries: first, hasOlder: first.length === PAGE, isRead: true });
        return;
      }
      const later = await this.#page({ after: newest }, LARGEST_PAGE);
      // Re-read the state, since waiting entries may have been shown in the meantime.
      const { entries, waiting } = this.#state;
      if (later.length === LARGEST_PAGE) {
        // More entries may have arrived than fit in one response, leaving a gap: start over from these.
        this.#change({ entries: later, waiting: [], hasOlder: true });
      } else if (later.length > 0 && this.#isHeld) {
        this.#change({ waiting: [...later, ...waiting].slice(0, MOST_ENTRIES) });
      } else if (later.length > 0) {
        this.#change({ entries: [...later, ...waiting, ...entries].slice(0, MOST_ENTRIES), waiting: [] });
      }
    });
  }

  async older(): Promise<void> {
    const oldest = this.#state.entries.at(-1)?.number;
    if (!this.#state.hasOlder || oldest === undefined) return;
    if (this.#asksFor === 'newer') {
      this.#wantsOlder = true;
      return;
    }
    await this.#asking('older', async () => {
      const page = await this.#page({ before: oldest }, PAGE);
      const entries = [...this.#state.entries, ...page];
      this.#change({ entries, hasOlder: page.length === PAGE && entries.length < MOST_ENTRIES });
    });
  }

  /**
   * Holds back new entries while the person reads further down, so that nothing moves; shows them when
   * `isHeld` is false.
   */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    const { entries, waiting } = this.#state;
    if (!isHeld && waiting.length > 0) {
      this.#change({ entries: [...waiting, ...entries].slice(0, MOST_ENTRIES), waiting: [] });
    }
  }

  /**
   * Yields, page by page, all entries of the gateway that match the filter, newest first, whether they are shown or
   * not.
   */
  async *all(): AsyncGenerator<readonly AuditEntry[]> {
    let before: number | undefined;
    for (;;) {
      const page = await this.#page(before === undefined ? {} : { before }, LARGEST_PAGE);
      if (page.length > 0) yield page;
      before = page.at(-1)?.number;
      if (page.length < LARGEST_PAGE) return;
    }
  }

  async #page(more: Pick<AuditFilter, 'before' | 'after'>, limit: number): Promise<readonly AuditEntry[]> {
    return (await this.#ask({ ...this.#filter, ...more, limit })).entries;
  }

  async #asking(what: 'newer' | 'older', work: () => Promise<void>): Promise<void> {
    if (this.#asksFor !== null) return;
    this.#asksFor = what;
    try {
      await work();
      if (this.#state.problem !== null) this.#change({ problem: null });
    } catch (error) {
      this.#change({ problem: errorSentence(error) });
    } finally {
      this.#asksFor = null;
    }
    if (!this.#wantsOlder) return;
    this.#wantsOlder = false;
    await this.older();
  }

  #change(changed: Partial<RecordState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}
