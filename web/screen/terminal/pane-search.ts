// Search in a terminal's screen and scrollback.
import { SearchAddon, type ISearchOptions } from '@xterm/addon-search';
import type { Terminal } from '@xterm/xterm';
import type { SearchQuery } from '../../state/processes/search-query.ts';
import { NOTHING_FOUND, type PaneMatches, type Searchable } from '../../state/processes/searchable.ts';
import { ExpressionSearch } from './expression-search.ts';
import { MARKS, MOST_MATCHES } from './search-marks.ts';

export class PaneSearch implements Searchable {
  readonly #terminal: Terminal;
  readonly #addon = new SearchAddon({ highlightLimit: MOST_MATCHES });
  readonly #expressions: ExpressionSearch;
  readonly #changed: (matches: PaneMatches) => void;
  #isRegex = false;

  /** Calls `changed` with the matches, including when output changes them. */
  constructor(terminal: Terminal, changed: (matches: PaneMatches) => void) {
    this.#terminal = terminal;
    this.#changed = changed;
    terminal.loadAddon(this.#addon);
    this.#addon.onDidChangeResults(({ resultIndex, resultCount }) => {
      if (!this.#isRegex)
        changed({
          ...NOTHING_FOUND,
          index: resultIndex,
          count: resultCount,
          hasMore: resultCount >= MOST_MATCHES,
        });
    });
    this.#expressions = new ExpressionSearch(terminal, (matches) => {
      if (this.#isRegex) changed(matches);
    });
  }

  find(query: SearchQuery, direction: 'up' | 'down', isNew = false): boolean {
    if (query.text === '') {
      this.clear();
      return false;
    }
    if (query.isRegex !== this.#isRegex) {
      this.clear();
      this.#isRegex = query.isRegex;
    }
    if (query.isRegex) return this.#expressions.find(query, direction, isNew);
    const options: ISearchOptions = { caseSensitive: query.isCaseSensitive, decorations: MARKS };
    if (isNew) {
      // The addon ignores changed options while there are decorations, and a new query must not start at the old match.
      this.#addon.clearDecorations();
      this.#terminal.clearSelection();
    }
    return direction === 'up'
      ? this.#addon.findPrevious(query.text, options)
      : this.#addon.findNext(query.text, options);
  }

  clear(): void {
    this.#expressions.clear();
    this.#addon.clearDecorations();
    this.#addon.clearActiveDecoration();
    this.#changed(NOTHING_FOUND);
  }

  dispose(): void {
    this.#expressions.dispose();
  }
}
