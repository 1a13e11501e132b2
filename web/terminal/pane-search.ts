// Searching what a terminal has: its screen and the lines above it.
import { SearchAddon, type ISearchOptions } from '@xterm/addon-search';
import type { Terminal } from '@xterm/xterm';

export interface PaneQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

export interface PaneMatches {
  /** From 0; -1 when none is the present one. */
  readonly index: number;
  readonly count: number;
  /** There are more, which are not counted. */
  readonly hasMore: boolean;
}

/** What a search bar asks: of a terminal, or of a log. */
export interface Searchable {
  /** Goes to the next match, with a new question from the end of the output; false when there is none. */
  find(query: PaneQuery, direction: 'up' | 'down', isNew?: boolean): boolean;
  clear(): void;
}

/** More are not marked, nor counted. */
const MOST_MATCHES = 1000;

export class PaneSearch implements Searchable {
  readonly #terminal: Terminal;
  readonly #addon = new SearchAddon({ highlightLimit: MOST_MATCHES });

  /** `changed`: what was found, also when output has changed it; null when nothing is looked for. */
  constructor(terminal: Terminal, changed: (matches: PaneMatches) => void) {
    this.#terminal = terminal;
    terminal.loadAddon(this.#addon);
    this.#addon.onDidChangeResults(({ resultIndex, resultCount }) =>
      changed({ index: resultIndex, count: resultCount, hasMore: resultCount >= MOST_MATCHES }),
    );
  }

  find(query: PaneQuery, direction: 'up' | 'down', isNew = false): boolean {
    if (query.text === '' || (query.isRegex && !isExpression(query.text))) {
      this.clear();
      return false;
    }
    const options: ISearchOptions = {
      regex: query.isRegex,
      caseSensitive: query.isCaseSensitive,
      decorations: MARKS,
    };
    if (isNew) {
      // The addon does not notice other options; and another question begins where the first one did.
      this.#addon.clearDecorations();
      this.#terminal.clearSelection();
    }
    return direction === 'up'
      ? this.#addon.findPrevious(query.text, options)
      : this.#addon.findNext(query.text, options);
  }

  clear(): void {
    this.#addon.clearDecorations();
    this.#addon.clearActiveDecoration();
  }
}

/** Colours that can be read on either theme; the addon wants them as #RRGGBB. */
const MARKS = {
  matchBackground: '#7a5b00',
  matchOverviewRuler: '#d29922',
  activeMatchBackground: '#b0500c',
  activeMatchColorOverviewRuler: '#f0883e',
} as const;

export function isExpression(text: string): boolean {
  try {
    return new RegExp(text).source !== '';
  } catch {
    return false;
  }
}
