// Regular expression search in a terminal. The xterm addon runs any expression, even one that blocks the page forever,
// so the addon is used only for plain text.
import type { IBuffer, IDecoration, IDisposable, IMarker, Terminal } from '@xterm/xterm';
import { lineMatcher, type LineMatcher } from '../../state/processes/line-matcher.ts';
import type { SearchQuery } from '../../state/processes/search-query.ts';
import { NOTHING_FOUND, type PaneMatches, type Searchable } from '../../state/processes/searchable.ts';
import { MARKS, MOST_MATCHES } from './search-marks.ts';

/** Time limit for one slice; the rest continues in the next frame. */
const SLICE_MS = 8;
/** Length at which a long line is split for the search, as in a log; here rounded up to whole rows. */
const MOST_LINE_CHARACTERS = 8192;
/** Delay before new output is searched, as in the addon. */
const AGAIN_MS = 200;

interface Found {
  readonly marker: IMarker;
  readonly col: number;
  readonly cells: number;
}

export class ExpressionSearch implements Searchable {
  readonly #terminal: Terminal;
  readonly #changed: (matches: PaneMatches) => void;
  readonly #subscriptions: readonly IDisposable[];
  #matcher: LineMatcher | null = null;
  /** Matches of the last complete search, from the bottom up. */
  #found: Found[] = [];
  #present: Found | null = null;
  #marks: IDecoration[] = [];
  #presentMarks: IDecoration[] = [];
  /** Matches of the search in progress, which continues upwards at row `#next`. */
  #finding: Found[] = [];
  #next = -1;
  #frame = 0;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(terminal: Terminal, changed: (matches: PaneMatches) => void) {
    this.#terminal = terminal;
    this.#changed = changed;
    this.#subscriptions = [
      terminal.onWriteParsed(() => this.#lookAgain()),
      terminal.onResize(() => this.#lookAgain()),
    ];
  }

  find(query: SearchQuery, direction: 'up' | 'down', isNew = false): boolean {
    if (isNew || !this.#matcher) {
      this.clear();
      this.#matcher = lineMatcher(query);
      if (this.#matcher) this.#look();
    } else {
      const found = this.#found.filter(({ marker }) => !marker.isDisposed);
      const at = (this.#present ? found.indexOf(this.#present) : -1) + (direction === 'up' ? 1 : -1);
      this.#goTo(found[(at + found.length) % Math.max(1, found.length)] ?? null);
      this.#report();
    }
    return this.#present !== null;
  }

  clear(): void {
    this.#matcher = null;
    this.#stop();
    this.#goTo(null);
    this.#unmark();
    dispose(this.#found.splice(0).map(({ marker }) => marker));
    dispose(this.#finding.splice(0).map(({ marker }) => marker));
    this.#changed(NOTHING_FOUND);
  }

  dispose(): void {
    this.#stop();
    dispose(this.#subscriptions);
  }

  #stop(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#again);
    this.#frame = 0;
    this.#again = undefined;
  }

  /** Schedules another search after the current one, so that a flood of output does not keep restarting it. */
  #lookAgain(): void {
    if (!this.#matcher) return;
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      if (this.#frame === 0) this.#look();
      else this.#lookAgain();
    }, AGAIN_MS);
  }

  #look(): void {
    this.#next = this.#terminal.buffer.active.length - 1;
    this.#step();
  }

  #step(): void {
    const until = performance.now() + SLICE_MS;
    const { active } = this.#terminal.buffer;
    const mostRows = Math.ceil(MOST_LINE_CHARACTERS / this.#terminal.cols);
    this.#next = Math.min(this.#next, active.length - 1);
    while (this.#next >= 0 && this.#finding.length < MOST_MATCHES && performance.now() < until) {
      let first = this.#next;
      while (first > 0 && this.#next - first + 1 < mostRows && active.getLine(first)?.isWrapped) first -= 1;
      this.#lookAtLine(active, first, this.#next);
      this.#next = first - 1;
    }
    if (!this.#present && this.#found.length === 0) this.#goTo(this.#finding[0] ?? null);
    const isDone = this.#next < 0 || this.#finding.length >= MOST_MATCHES;
    this.#frame = isDone ? 0 : requestAnimationFrame(() => this.#step());
    if (isDone) this.#finish();
  }

  #lookAtLine(buffer: IBuffer, first: number, last: number): void {
    const rows = Array.from({ length: last - first + 1 }, (_, at) => buffer.getLine(first + at));
    const matches = this.#matcher?.(
      rows
        .map((row) => row?.translateToString() ?? '')
        .join('')
        .trimEnd(),
    );
    if (!matches || matches.length === 0) return;
    const cells = cellsOf(buffer, first, last);
    const { cols } = this.#terminal;
    for (const { start, end } of matches.toReversed()) {
      const [from, to] = [cells[start] ?? 0, cells[end] ?? rows.length * cols];
      const row = first + Math.floor(from / cols);
      const marker = this.#terminal.registerMarker(row - buffer.baseY - buffer.cursorY);
      this.#finding.push({ marker, col: from % cols, cells: to - from });
    }
  }

  #finish(): void {
    const before = this.#present;
    const same = this.#finding.find(
      ({ marker, col }) => marker.line === before?.marker.line && col === before.col,
    );
    this.#unmark();
    dispose(this.#found.splice(0).map(({ marker }) => marker));
    this.#found = this.#finding.splice(0);
    this.#marks = this.#found.flatMap((found) => this.#mark(found, false));
    this.#present = same ?? null;
    if (same) this.#presentMarks = this.#mark(same, true);
    this.#report();
  }

  /**
   * Removes all marks. Call it before disposing of their markers: xterm still draws a decoration whose marker is gone.
   */
  #unmark(): void {
    dispose(this.#presentMarks.splice(0));
    dispose(this.#marks.splice(0));
  }

  #goTo(found: Found | null): void {
    const terminal = this.#terminal;
    this.#present = found;
    dispose(this.#presentMarks.splice(0));
    if (!found) {
      terminal.clearSelection();
      return;
    }
    const { line } = found.marker;
    terminal.select(found.col, line, found.cells);
    this.#presentMarks = this.#mark(found, true);
    const { viewportY } = terminal.buffer.active;
    const isInSight = line >= viewportY && line < viewportY + terminal.rows;
    if (!isInSight) terminal.scrollLines(line - viewportY - Math.floor(terminal.rows / 2));
  }

  /** Marks the match, and returns its marks, one per row. */
  #mark({ marker, col, cells }: Found, isPresent: boolean): IDecoration[] {
    const { cols, buffer } = this.#terminal;
    const { baseY, cursorY } = buffer.active;
    const marks: IDecoration[] = [];
    for (let from = col, rest = cells, row = marker.line; rest > 0; row += 1) {
      const width = Math.min(cols - from, rest);
      const mark = this.#terminal.registerDecoration({
        marker: row === marker.line ? marker : this.#terminal.registerMarker(row - baseY - cursorY),
        x: from,
        width,
        layer: isPresent ? 'top' : 'bottom',
        backgroundColor: isPresent ? MARKS.activeMatchBackground : MARKS.matchBackground,
        overviewRulerOptions: {
          color: isPresent ? MARKS.activeMatchColorOverviewRuler : MARKS.matchOverviewRuler,
          position: 'center',
        },
      });
      if (mark) marks.push(mark);
      rest -= width;
      from = 0;
    }
    return marks;
  }

  #report(): void {
    const count = this.#found.length;
    const at = this.#present ? this.#found.indexOf(this.#present) : -1;
    const index = at < 0 ? -1 : count - 1 - at;
    this.#changed({ ...NOTHING_FOUND, index, count, hasMore: count >= MOST_MATCHES });
  }
}

function dispose(disposables: readonly IDisposable[]): void {
  for (const disposable of disposables) disposable.dispose();
}

/** Returns the first cell of each UTF-16 unit in these rows; a character may take two cells, or share one. */
function cellsOf(buffer: IBuffer, first: number, last: number): number[] {
  const cells: number[] = [];
  const cell = buffer.getNullCell();
  for (let y = first, before = 0; y <= last; y += 1) {
    const line = buffer.getLine(y);
    for (let x = 0; x < (line?.length ?? 0); x += 1) {
      line?.getCell(x, cell);
      if (cell.getWidth() === 0) continue;
      for (let part = Math.max(1, cell.getChars().length); part > 0; part -= 1) cells.push(before + x);
    }
    before += line?.length ?? 0;
  }
  return cells;
}
