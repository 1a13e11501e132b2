// Search in a log: retained lines, newest first, one slice at a time; new lines; and recorded lines, page by page.
import { lineMatcher, type LineMatcher } from '../../state/processes/line-matcher.ts';
import type { SearchQuery } from '../../state/processes/search-query.ts';
import { NOTHING_FOUND, type PaneMatches, type Searchable } from '../../state/processes/searchable.ts';
import type { LogLines } from './log-lines.ts';
import { PastSearch, type AskMatches } from './past-search.ts';

/** Number of matches in memory from which older lines are not searched, and new matches replace the oldest. */
const MOST_MATCHES = 10_000;
/** Time limit for one slice; the rest continues in the next frame. */
const SLICE_MS = 8;
/** Characters between two checks of the clock, and the characters that each line counts for besides its text. */
const LETTERS_PER_LOOK = 8192;
const LINE_LETTERS = 64;
/** Maximum number of lines with cached matches: those in view, which are redrawn repeatedly during a search. */
const MOST_SEEN = 500;

export interface LineMatch {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

export interface LogSearchOptions {
  readonly lines: LogLines;
  readonly changed: (matches: PaneMatches) => void;
  readonly askPast: AskMatches;
  readonly reveal: (match: LineMatch) => void;
  /** Scrolls to the recorded line that contains the byte. */
  readonly revealPast: (offset: number) => void;
  /** Called when marks have changed or lines remain to be searched; the caller then runs `step` in the next frame. */
  readonly redraw: () => void;
}

export class LogSearch implements Searchable {
  readonly #options: LogSearchOptions;
  readonly #past: PastSearch;
  #matcher: LineMatcher | null = null;
  #query: SearchQuery | null = null;
  #matches: LineMatch[] = [];
  /** Matches in hidden lines. */
  #hidden: LineMatch[] = [];
  #hasMore = false;
  #present: LineMatch | null = null;
  /** Searched ids: from `#from`, before which older lines may remain, up to but excluding `#to`. */
  #from = 0;
  #to = 0;
  #open: readonly number[] = [];
  #reported: PaneMatches = NOTHING_FOUND;
  readonly #seen = new Map<number, { readonly version: number; readonly matches: readonly LineMatch[] }>();

  constructor(options: LogSearchOptions) {
    this.#options = options;
    this.#past = new PastSearch({
      ask: options.askPast,
      endOffset: () => options.lines.oldestOffset ?? Number.POSITIVE_INFINITY,
      changed: () => {
        options.redraw();
        this.#report();
      },
      reveal: (offset) => {
        this.#present = null;
        options.revealPast(offset);
      },
    });
  }

  find(query: SearchQuery, direction: 'up' | 'down', isNew = false): boolean {
    if (isNew || !this.#matcher) {
      this.clear();
      this.#matcher = query.text === '' ? null : lineMatcher(query);
      if (!this.#matcher) return false;
      this.#query = query;
      this.step();
      return this.#present !== null;
    }
    if (direction === 'down' && this.#past.index >= 0 && this.#past.newer()) return true;
    const isAtOldest = this.#past.index >= 0 || this.#index() <= 0;
    if (direction === 'up' && isAtOldest && this.#isAllSearched && !this.#past.isDone) {
      this.#past.older();
      return true;
    }
    if (this.#past.index >= 0) {
      if (direction === 'up' && this.#past.index + 1 < this.#past.count) {
        this.#past.older();
        return true;
      }
      this.#past.leave();
      this.#goTo((direction === 'down' ? this.#matches[0] : this.#matches.at(-1)) ?? null);
      return this.#present !== null;
    }
    const { length } = this.#matches;
    const at = this.#index() + (direction === 'up' ? -1 : 1);
    this.#goTo(this.#matches[(at + length) % Math.max(1, length)] ?? null);
    return this.#present !== null;
  }

  clear(): void {
    this.#matcher = null;
    this.#query = null;
    this.#past.start(null);
    this.#forgetAll();
    this.#report();
    this.#options.redraw();
  }

  /** Restarts the search with the same query after the filter has changed. */
  again(): void {
    if (!this.#matcher) return;
    this.#forgetAll();
    this.step();
  }

  #forgetAll(): void {
    this.#matches = [];
    this.#hidden = [];
    this.#hasMore = false;
    this.#present = null;
    this.#open = [];
    this.#seen.clear();
    this.#from = this.#to = this.#options.lines.endId;
  }

  /** Returns the matches to mark in a line, and which one is current. */
  marksIn(id: number): { readonly start: number; readonly end: number; readonly isPresent: boolean }[] {
    const { offset } = this.#past;
    const entry = this.#options.lines.at(id);
    const isPast = offset !== null && entry?.kind === 'line' && entry.offset === offset;
    return this.#seenIn(id).map(({ start, end }, index) => ({
      start,
      end,
      isPresent: isPast ? index === 0 : this.#present?.id === id && this.#present.start === start,
    }));
  }

  /** Continues the search for up to `SLICE_MS`; called whenever the log is drawn. */
  step(): void {
    if (!this.#matcher) return;
    const until = performance.now() + SLICE_MS;
    // Recorded lines may become known only after the search has started.
    if (!this.#past.isStarted && this.#options.lines.pastRows > 0) this.#past.start(this.#query);
    this.#forget();
    this.#lookAtNew(until);
    this.#lookAtOld(until);
    const { firstId, endId } = this.#options.lines;
    const newest = this.#matches.at(-1);
    if (!this.#present && newest && this.#past.index < 0) this.#goTo(newest);
    else this.#report();
    if (!newest && this.#isAllSearched && this.#past.isNew) this.#past.older();
    if (this.#to < endId || (this.#from > firstId && !this.#hasMore)) this.#options.redraw();
  }

  /** Discards matches in dropped lines, and re-searches lines that were open. */
  #forget(): void {
    const { firstId } = this.#options.lines;
    this.#from = Math.max(this.#from, firstId);
    this.#to = Math.max(this.#to, firstId);
    const open = this.#open.filter((id) => id < this.#to);
    const isOld = (matches: readonly LineMatch[]): boolean => (matches[0]?.id ?? firstId) < firstId;
    if (isOld(this.#matches) || isOld(this.#hidden) || open.length > 0) {
      const isCurrent = ({ id }: LineMatch): boolean => id >= firstId && !open.includes(id);
      this.#matches = this.#matches.filter(isCurrent);
      this.#hidden = this.#hidden.filter(isCurrent);
    }
    for (const id of open) insert(this.#listOf(id), this.#matchesIn(id));
    this.#open = this.#options.lines.openIds;
  }

  #lookAtNew(until: number): void {
    const { endId } = this.#options.lines;
    while (this.#to < endId && performance.now() < until) {
      for (let letters = 0; this.#to < endId && letters < LETTERS_PER_LOOK; this.#to += 1) {
        this.#listOf(this.#to).push(...this.#matchesIn(this.#to));
        letters += this.#lettersOf(this.#to);
      }
    }
    if (this.#hidden.length > MOST_MATCHES) this.#hidden = this.#hidden.slice(-MOST_MATCHES);
    if (this.#matches.length <= MOST_MATCHES) return;
    this.#matches = this.#matches.slice(-MOST_MATCHES);
    this.#hasMore = true;
  }

  #lookAtOld(until: number): void {
    const { firstId } = this.#options.lines;
    const found: LineMatch[] = [];
    const hidden: LineMatch[] = [];
    while (this.#from > firstId && !this.#hasMore && performance.now() < until) {
      for (let letters = 0; this.#from > firstId && letters < LETTERS_PER_LOOK;) {
        this.#from -= 1;
        (this.#isHidden(this.#from) ? hidden : found).push(...this.#matchesIn(this.#from).toReversed());
        letters += this.#lettersOf(this.#from);
      }
      if (found.length + this.#matches.length >= MOST_MATCHES) this.#hasMore = this.#from > firstId;
    }
    const room = Math.max(0, MOST_MATCHES - this.#matches.length);
    if (found.length > room) this.#hasMore = true;
    if (found.length > 0) this.#matches = [...found.slice(0, room).toReversed(), ...this.#matches];
    if (hidden.length > 0) this.#hidden = [...hidden.toReversed(), ...this.#hidden].slice(-MOST_MATCHES);
  }

  #listOf(id: number): LineMatch[] {
    return this.#isHidden(id) ? this.#hidden : this.#matches;
  }

  #isHidden(id: number): boolean {
    const entry = this.#options.lines.at(id);
    return entry !== undefined && !this.#options.lines.isShown(entry);
  }

  #seenIn(id: number): readonly LineMatch[] {
    const version = this.#options.lines.at(id)?.version ?? 0;
    const seen = this.#seen.get(id);
    if (seen?.version === version) return seen.matches;
    if (this.#seen.size >= MOST_SEEN) this.#seen.clear();
    const matches = this.#matchesIn(id);
    this.#seen.set(id, { version, matches });
    return matches;
  }

  #matchesIn(id: number): LineMatch[] {
    const entry = this.#options.lines.at(id);
    if (!this.#matcher || entry?.kind !== 'line') return [];
    return this.#matcher(entry.text).map((match) => ({ id, ...match }));
  }

  #lettersOf(id: number): number {
    return LINE_LETTERS + (this.#options.lines.at(id)?.text.length ?? 0);
  }

  #goTo(match: LineMatch | null): void {
    this.#present = match;
    if (match) this.#options.reveal(match);
    this.#options.redraw();
    this.#report();
  }

  #index(): number {
    const present = this.#present;
    return this.#matches.findIndex(({ id, start }) => id === present?.id && start === present.start);
  }

  /** True when the search has reached the oldest line in memory without exceeding `MOST_MATCHES`. */
  get #isAllSearched(): boolean {
    return this.#from <= this.#options.lines.firstId && !this.#hasMore;
  }

  /** True when there are earlier lines that no person has cleared, and which cannot be searched; undefined otherwise. */
  get #hasUnsearched(): true | undefined {
    if (!this.#matcher) return undefined;
    const { run, droppedLines, evictedLines } = this.#options.lines;
    const isDropped = !this.#past.isStarted && run.hasEarlier && droppedLines === evictedLines;
    return this.#past.isForbidden || isDropped || undefined;
  }

  #report(): void {
    const past = this.#past;
    const [count, hidden] = [past.count + this.#matches.length, this.#hidden.length];
    const live = this.#index();
    const index = past.index >= 0 ? past.count - 1 - past.index : live < 0 ? live : past.count + live;
    const { state: recorded, hasUnread } = past;
    const searched = recorded && past.searched;
    const hasMore = this.#hasMore || !past.isDone;
    const hasUnsearched = this.#hasUnsearched;
    const now = { index, count, hasMore, hidden, recorded, searched, hasUnread, hasUnsearched };
    const before: PaneMatches = this.#reported;
    if (Object.entries(now).every(([name, value]) => before[name as keyof PaneMatches] === value)) return;
    this.#reported = now;
    this.#options.changed(now);
  }
}

function insert(list: LineMatch[], matches: readonly LineMatch[]): void {
  const [first] = matches;
  if (!first) return;
  const after = list.findIndex(({ id }) => id > first.id);
  list.splice(after < 0 ? list.length : after, 0, ...matches);
}
