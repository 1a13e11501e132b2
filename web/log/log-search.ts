// Searching a log: all lines that are kept, the newest first, a slice of them at a time, and what comes while it is open.
import type { PaneMatches, PaneQuery, Searchable } from '../terminal/pane-search.ts';
import type { LogLines } from './log-lines.ts';

/** The newest are kept, and counted. */
const MOST_MATCHES = 10_000;
/** What one slice may take; the rest waits for the next frame. */
const SLICE_MS = 8;
/** Lines between two looks at the clock. */
const LINES_PER_LOOK = 500;

const NOTHING_FOUND: PaneMatches = { index: -1, count: 0, hasMore: false };

export interface LineMatch {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

export interface LogSearchOptions {
  readonly lines: LogLines;
  readonly changed: (matches: PaneMatches) => void;
  /** Brings a match into sight. */
  readonly reveal: (match: LineMatch) => void;
  /** What is marked has changed, or there is more to look through: to be called again in the next frame. */
  readonly redraw: () => void;
}

export class LogSearch implements Searchable {
  readonly #options: LogSearchOptions;
  #pattern: RegExp | null = null;
  #matches: LineMatch[] = [];
  #hasMore = false;
  #present: LineMatch | null = null;
  /** Looked through: from here, with what is older still to come, up to the other. */
  #from = 0;
  #to = 0;
  #open: readonly number[] = [];
  #told: PaneMatches = NOTHING_FOUND;

  constructor(options: LogSearchOptions) {
    this.#options = options;
  }

  find(query: PaneQuery, direction: 'up' | 'down', isNew = false): boolean {
    if (isNew || !this.#pattern) {
      this.clear();
      this.#pattern = patternOf(query);
      if (!this.#pattern) return false;
      this.#from = this.#to = this.#options.lines.endId;
      this.step();
      return this.#present !== null;
    }
    const { length } = this.#matches;
    const at = this.#index() + (direction === 'up' ? -1 : 1);
    this.#goTo(this.#matches[(at + length) % Math.max(1, length)] ?? null);
    return this.#present !== null;
  }

  clear(): void {
    this.#pattern = null;
    this.#matches = [];
    this.#hasMore = false;
    this.#present = null;
    this.#open = [];
    this.#tell();
    this.#options.redraw();
  }

  /** What is to be marked in a line, and which of it is the present one. */
  marksIn(id: number): { readonly start: number; readonly end: number; readonly isPresent: boolean }[] {
    return this.#matchesIn(id).map(({ start, end }) => ({
      start,
      end,
      isPresent: this.#present?.id === id && this.#present.start === start,
    }));
  }

  /** Goes on looking; once a frame while there is anything to look through. */
  step(): void {
    if (!this.#pattern) return;
    const until = performance.now() + SLICE_MS;
    this.#forget();
    this.#lookAtNew(until);
    this.#lookAtOld(until);
    const { firstId, endId } = this.#options.lines;
    const newest = this.#matches.at(-1);
    if (!this.#present && newest) this.#goTo(newest);
    else this.#tell();
    if (this.#to < endId || (this.#from > firstId && !this.#hasMore)) this.#options.redraw();
  }

  /** Lines that have been dropped, and those that were open, which may have changed. */
  #forget(): void {
    const { firstId } = this.#options.lines;
    this.#from = Math.max(this.#from, firstId);
    this.#to = Math.max(this.#to, firstId);
    const open = this.#open.filter((id) => id < this.#to);
    if ((this.#matches[0]?.id ?? firstId) < firstId || open.length > 0) {
      this.#matches = this.#matches.filter(({ id }) => id >= firstId && !open.includes(id));
    }
    for (const id of open) this.#insert(this.#matchesIn(id));
    this.#open = this.#options.lines.openIds;
  }

  #lookAtNew(until: number): void {
    const { endId } = this.#options.lines;
    while (this.#to < endId && performance.now() < until) {
      const end = Math.min(endId, this.#to + LINES_PER_LOOK);
      for (; this.#to < end; this.#to += 1) this.#matches.push(...this.#matchesIn(this.#to));
    }
    if (this.#matches.length <= MOST_MATCHES) return;
    this.#matches = this.#matches.slice(-MOST_MATCHES);
    this.#hasMore = true;
  }

  #lookAtOld(until: number): void {
    const { firstId } = this.#options.lines;
    const found: LineMatch[] = [];
    while (this.#from > firstId && !this.#hasMore && performance.now() < until) {
      const end = Math.max(firstId, this.#from - LINES_PER_LOOK);
      while (this.#from > end) {
        this.#from -= 1;
        found.push(...this.#matchesIn(this.#from).toReversed());
      }
      if (found.length + this.#matches.length >= MOST_MATCHES) this.#hasMore = this.#from > firstId;
    }
    if (found.length > 0) this.#matches = [...found.toReversed(), ...this.#matches];
  }

  #insert(matches: readonly LineMatch[]): void {
    const [first] = matches;
    if (!first) return;
    const after = this.#matches.findIndex(({ id }) => id > first.id);
    this.#matches.splice(after < 0 ? this.#matches.length : after, 0, ...matches);
  }

  #matchesIn(id: number): LineMatch[] {
    const entry = this.#options.lines.at(id);
    if (!this.#pattern || entry?.kind !== 'line') return [];
    const matches: LineMatch[] = [];
    for (const match of entry.text.matchAll(this.#pattern)) {
      if (match[0].length > 0) matches.push({ id, start: match.index, end: match.index + match[0].length });
    }
    return matches;
  }

  #goTo(match: LineMatch | null): void {
    this.#present = match;
    if (match) this.#options.reveal(match);
    this.#options.redraw();
    this.#tell();
  }

  #index(): number {
    const present = this.#present;
    return this.#matches.findIndex(({ id, start }) => id === present?.id && start === present.start);
  }

  #tell(): void {
    const now = { index: this.#index(), count: this.#matches.length, hasMore: this.#hasMore };
    const { index, count, hasMore } = this.#told;
    if (now.index === index && now.count === count && now.hasMore === hasMore) return;
    this.#told = now;
    this.#options.changed(now);
  }
}

function patternOf({ text, isRegex, isCaseSensitive }: PaneQuery): RegExp | null {
  if (text === '') return null;
  try {
    return new RegExp(
      isRegex ? text : text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
      isCaseSensitive ? 'g' : 'gi',
    );
  } catch {
    return null;
  }
}
