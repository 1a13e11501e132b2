// Reads history for the page: pages of processes, and a search that pauses after a number of hits.
import type { RecordingsRemoved } from '../../../protocol/console.ts';
import type { HistoryEntry, HistoryHit } from '../../../protocol/history.ts';
import type { Requests } from '../../../protocol/methods.ts';
import { errorSentence } from '../../../text/error-text.ts';
import type { SearchQuery } from './search-query.ts';

export interface HistoryFilter {
  readonly agent?: string;
  readonly sinceMs?: number;
  readonly failed?: boolean;
  readonly folder?: string;
  readonly untilMs?: number;
}

export interface HistoryState {
  readonly entries: readonly HistoryEntry[];
  readonly hits: readonly HistoryHit[];
  /** Fraction of the recorded bytes searched so far, from 0 to 1. */
  readonly searched: number;
  /** False when the gateway could not read some of the searched recordings. */
  readonly isComplete: boolean;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  readonly problem: string | null;
  /** True when the results may include recordings that were removed; `reload` reads them again. */
  readonly isStale: boolean;
}

interface Removals extends Pick<RecordingsRemoved, 'isComplete'> {
  readonly recordings: readonly { readonly key: string }[];
}

type Request = <M extends 'console/history' | 'console/historySearch' | 'console/historyRemove'>(
  method: M,
  params: Requests[M]['params'],
) => Promise<Requests[M]['result']>;

/** Number of processes on the first page, which is small so that the page arrives soon, and on each later one. */
const FIRST_ENTRIES = 200;
const PAGE_ENTRIES = 1000;

/** Number of further hits after which a search pauses until the person requests more. */
const ENOUGH_HITS = 200;

/** Number of removed recordings after which the results count as stale. */
const MOST_REMOVED = 10_000;

const NOTHING: HistoryState = {
  entries: [],
  hits: [],
  searched: 0,
  isComplete: true,
  isReading: false,
  hasMore: true,
  problem: null,
  isStale: false,
};

/**
 * Reads one list, or runs one search when the text of `query` is not empty; another filter or query needs another
 * reader.
 */
export class HistoryReader {
  readonly #request: Request;
  readonly #filter: HistoryFilter;
  readonly #query: SearchQuery;
  readonly #listeners = new Set<() => void>();
  #state = NOTHING;
  #before: string | null = null;
  /** Bytes of the recordings that are searched or cannot be read. */
  #coveredBytes = 0;
  /** Keys of recordings removed since the first page, since a page in flight may still have them. */
  readonly #removed = new Set<string>();
  #isStopped = false;
  #reading: Promise<void> | null = null;

  constructor(request: Request, filter: HistoryFilter, query: SearchQuery) {
    this.#request = request;
    this.#filter = filter;
    this.#query = query;
  }

  readonly current = (): HistoryState => this.#state;

  /** True when the reader has an equal filter and query. */
  reads(filter: HistoryFilter, query: SearchQuery): boolean {
    return JSON.stringify([filter, query]) === JSON.stringify([this.#filter, this.#query]);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads the next page of a list, or continues the search until there are enough further hits. */
  more(): Promise<void> {
    if (!this.#state.hasMore) return Promise.resolve();
    this.#isStopped = false;
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** Stops the search, and discards the results of the request in flight; `more` continues the search. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Permanently removes the recording of a process, and the process from the results. */
  async remove(key: string): Promise<void> {
    await this.#request('console/historyRemove', { keys: [key] });
    this.drop({ recordings: [{ key }], isComplete: true });
  }

  /** Removes processes from the results after their recordings were removed. */
  drop({ recordings, isComplete }: Removals): void {
    for (const { key } of recordings) this.#removed.add(key);
    // Beyond the limit, the removals so far apply to the results so far, and reloading does the rest.
    const isStale = this.#state.isStale || !isComplete || this.#removed.size > MOST_REMOVED;
    this.#set({ ...this.#left(this.#state), isStale });
    if (this.#removed.size > MOST_REMOVED) this.#removed.clear();
  }

  /** Discards the results, and reads them again from the beginning. */
  async reload(): Promise<void> {
    this.stop();
    while (this.#reading) await this.#reading;
    this.#before = null;
    this.#coveredBytes = 0;
    this.#removed.clear();
    this.#set(NOTHING);
    await this.more();
  }

  async #read(): Promise<void> {
    this.#set({ isReading: true, problem: null });
    try {
      await (this.#query.text === '' ? this.#list() : this.#search());
    } catch (error) {
      this.#set({ problem: errorSentence(error) });
    }
    // `#reading` is cleared first, since the listeners may call `more` immediately.
    this.#reading = null;
    this.#set({ isReading: false });
  }

  async #list(): Promise<void> {
    const limit = this.#before === null ? FIRST_ENTRIES : PAGE_ENTRIES;
    const page = await this.#request('console/history', { ...this.#filter, ...this.#place, limit });
    this.#before = page.before;
    const { entries } = this.#left({ entries: page.processes, hits: [] });
    this.#set({ entries: [...this.#state.entries, ...entries], hasMore: page.before !== null });
  }

  async #search(): Promise<void> {
    const { text, isRegex, isCaseSensitive } = this.#query;
    const enough = this.#state.hits.length + ENOUGH_HITS;
    do {
      const params = {
        ...this.#filter,
        query: text,
        regex: isRegex,
        caseSensitive: isCaseSensitive,
        ...this.#place,
      };
      const page = await this.#request('console/historySearch', params);
      if (this.#isStopped) return;
      this.#before = page.before;
      this.#coveredBytes += page.searchedBytes + page.unreadableBytes;
      const known = new Set(this.#state.entries.map(({ key }) => key));
      const { entries, hits } = this.#left({ entries: page.processes, hits: page.hits });
      this.#set({
        entries: [...this.#state.entries, ...entries.filter(({ key }) => !known.has(key))],
        hits: [...this.#state.hits, ...hits],
        hasMore: page.before !== null,
        isComplete: this.#state.isComplete && (page.isComplete ?? true),
        searched:
          page.before === null ? 1 : Math.min(0.99, this.#coveredBytes / Math.max(1, page.totalBytes)),
      });
    } while (this.#before !== null && this.#state.hits.length < enough);
  }

  get #place(): { before?: string } {
    return this.#before === null ? {} : { before: this.#before };
  }

  /** Returns the results without those of removed recordings. */
  #left({ entries, hits }: Pick<HistoryState, 'entries' | 'hits'>): Pick<HistoryState, 'entries' | 'hits'> {
    const isLeft = ({ key }: { readonly key: string }): boolean => !this.#removed.has(key);
    return { entries: entries.filter(isLeft), hits: hits.filter(isLeft) };
  }

  #set(change: Partial<HistoryState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
