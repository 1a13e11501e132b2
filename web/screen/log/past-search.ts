// Matches in the recorded lines above those in memory, newest first, requested from the gateway page by page.
import { ErrorCode } from '../../../protocol/jsonrpc.ts';
import type { SearchQuery } from '../../state/processes/search-query.ts';

export interface FoundPage {
  /** Byte offsets of the matching lines, newest first. */
  readonly offsets: readonly number[];
  /** Cursor for the next page, of older lines; null when there is none. */
  readonly before: string | null;
  /** Bytes searched for this page, bytes that could not be read for it, and the total bytes of the recording. */
  readonly searchedBytes: number;
  readonly unreadableBytes: number;
  readonly totalBytes: number;
  /** False when a part of the recording could not be read for this page; undefined otherwise. */
  readonly isComplete?: boolean | undefined;
}

export type AskMatches = (query: SearchQuery, before: string | null) => Promise<FoundPage>;

export interface PastSearchOptions {
  readonly ask: AskMatches;
  /** Returns the byte offset of the first line in memory. */
  readonly endOffset: () => number;
  /** Called when the matches, the current match or the progress have changed. */
  readonly changed: () => void;
  /** Scrolls to the line that contains the byte. */
  readonly reveal: (offset: number) => void;
}

export class PastSearch {
  readonly #options: PastSearchOptions;
  #query: SearchQuery | null = null;
  #offsets: number[] = [];
  #before: string | null = null;
  #coveredBytes = 0;
  #searched = 0;
  #isDone = true;
  #isAsking = false;
  #hasFailed = false;
  #hasUnread = false;
  #isForbidden = false;
  #index = -1;

  constructor(options: PastSearchOptions) {
    this.#options = options;
  }

  /** Index of the current match, counted from the newest; -1 when the current match is not in the recorded lines. */
  get index(): number {
    return this.#index;
  }

  get count(): number {
    return this.#offsets.length;
  }

  get isStarted(): boolean {
    return this.#query !== null;
  }

  /** True when the search is complete, not permitted, or not started. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** State to show; undefined when the search is complete or waits for the person to continue. */
  get state(): 'searching' | 'failed' | undefined {
    if (this.#isAsking || this.isNew) return 'searching';
    return this.#hasFailed ? 'failed' : undefined;
  }

  /** True when a part of the recording could not be read; undefined otherwise. */
  get hasUnread(): true | undefined {
    return this.#hasUnread || undefined;
  }

  /** True when the reader may not search recorded lines. */
  get isForbidden(): boolean {
    return this.#isForbidden;
  }

  /** Share of the recording that is searched, from 0 to 1. */
  get searched(): number {
    return this.#searched;
  }

  /** True when the search has started, but the first page has not been requested. */
  get isNew(): boolean {
    return (
      !this.#isDone &&
      !this.#isAsking &&
      !this.#hasFailed &&
      this.#before === null &&
      this.#offsets.length === 0
    );
  }

  /** Byte offset of the line with the current match; null when there is none. */
  get offset(): number | null {
    return this.#offsets[this.#index] ?? null;
  }

  /** Starts a new search, or ends the current one when the query is null. */
  start(query: SearchQuery | null): void {
    this.#query = query;
    this.#offsets = [];
    this.#before = null;
    this.#coveredBytes = this.#searched = 0;
    this.#isDone = query === null;
    this.#isAsking = false;
    this.#hasFailed = this.#hasUnread = this.#isForbidden = false;
    this.#index = -1;
  }

  leave(): void {
    this.#index = -1;
  }

  /** Goes to the next older match as soon as it is found. */
  older(): void {
    if (this.#index + 1 < this.#offsets.length) this.#goTo(this.#index + 1);
    else if (!this.#isDone && !this.#isAsking) void this.#ask();
  }

  /** Goes to the next newer recorded match; returns false, and leaves the recorded matches, when there is none. */
  newer(): boolean {
    this.#goTo(this.#index - 1);
    return this.#index >= 0;
  }

  #goTo(index: number): void {
    this.#index = index;
    const { offset } = this;
    if (offset !== null) this.#options.reveal(offset);
    this.#options.changed();
  }

  async #ask(): Promise<void> {
    const query = this.#query;
    if (!query) return;
    this.#isAsking = true;
    this.#hasFailed = false;
    const { ask, endOffset, changed } = this.#options;
    const had = this.#offsets.length;
    try {
      while (this.#query === query && !this.#isDone && this.#offsets.length === had) {
        const page = await ask(query, this.#before);
        if (this.#query !== query) break;
        this.#offsets.push(...page.offsets.filter((offset) => offset < endOffset()));
        this.#hasUnread ||= page.isComplete === false;
        this.#before = page.before;
        this.#isDone = page.before === null;
        this.#coveredBytes += page.searchedBytes + page.unreadableBytes;
        // A recording may grow while it is searched.
        this.#searched = this.#isDone ? 1 : Math.min(0.99, this.#coveredBytes / Math.max(1, page.totalBytes));
        if (!this.#isDone && this.#offsets.length === had) changed();
      }
    } catch (error) {
      if (this.#query === query) {
        // A reader without permission to search recordings searches only the lines in memory.
        this.#isDone = this.#isForbidden = isForbidden(error);
        this.#hasFailed = !this.#isDone;
      }
    }
    if (this.#query !== query) return;
    this.#isAsking = false;
    if (this.#offsets.length > had) this.#goTo(had);
    else changed();
  }
}

const isForbidden = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === ErrorCode.forbidden;
