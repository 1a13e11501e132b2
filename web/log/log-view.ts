// A log on the screen: only the lines in sight are in the document. It follows the end until its reader scrolls; no React.
import type { PaneMatches } from '../search/searchable.ts';
import type { Palette } from './colours.ts';
import { LogGrid, rowsOf, type Grid } from './log-grid.ts';
import { LogLines } from './log-lines.ts';
import { drawRow } from './log-row.ts';
import { LogSearch, type LineMatch } from './log-search.ts';
import { LogSelection } from './log-selection.ts';
import { NewLines } from './new-lines.ts';
import { pagePalette } from './palette.ts';
import { RowMap } from './row-map.ts';

/** Entries that are drawn above and below what is in sight, so that scrolling shows no holes. */
const OVERSCAN = 12;
/** How near to the end is at the end. */
const END_PX = 4;
/** As browsers have it. */
const PAGE_SHARE = 0.9;
const ARROW_PX = 40;
/** Where a line that was linked to comes to stand, of the height. */
const TARGET_SHARE = 0.3;

export interface LogViewOptions {
  readonly key: string;
  readonly onNewLines: (newLines: number | null) => void;
  /** What Ctrl+C does where nothing is selected. */
  readonly onInterrupt: () => void;
  /** What the search has found. */
  readonly onMatches: (matches: PaneMatches) => void;
}

interface DrawnRow {
  readonly element: HTMLElement;
  readonly version: number;
  readonly look: number;
}

export class LogView {
  readonly element = document.createElement('div');
  readonly lines = new LogLines(() => this.#schedule());
  readonly search: LogSearch;
  readonly #options: LogViewOptions;
  readonly #space = document.createElement('div');
  readonly #rows = document.createElement('div');
  readonly #dropped = document.createElement('div');
  readonly #grid = new LogGrid();
  readonly #selection: LogSelection;
  readonly #newLines: NewLines;
  readonly #observer = new ResizeObserver(() => this.#schedule());
  readonly #drawn = new Map<number, DrawnRow>();
  #palette: Palette = pagePalette();
  #map = new RowMap(0);
  #openIds: readonly number[] = [];
  #isShown = false;
  #frame = 0;
  /** Goes up when all that is drawn has to be drawn again. */
  #look = 0;
  /** How many lines there were when its reader left the end; null while it follows. */
  #leftAtLine: number | null = null;
  /** What stands at the top while it does not follow: an entry, and how far it is above the edge. */
  #anchor = { id: 0, px: 0 };
  #setTop = 0;
  /** The byte that a link leads to, until it has been gone to. */
  #target: number | null = null;
  #targetId: number | null = null;

  constructor(options: LogViewOptions) {
    this.#options = options;
    this.element.className = 'log-view';
    this.element.tabIndex = 0;
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', 'Log');
    this.element.hidden = true;
    this.#space.className = 'log-space';
    this.#rows.className = 'log-rows';
    this.#dropped.className = 'log-row log-divider';
    this.#space.append(this.#grid.element, this.#dropped, this.#rows);
    this.element.append(this.#space);
    this.#selection = new LogSelection(this.#rows, this.lines);
    this.search = new LogSearch({
      lines: this.lines,
      changed: options.onMatches,
      reveal: (match) => this.#reveal(match),
      redraw: () => {
        this.#look += 1;
        this.#schedule();
      },
    });
    this.#newLines = new NewLines(options.onNewLines);
    this.element.addEventListener('scroll', () => this.#scrolled());
    this.element.addEventListener('keydown', (event) => this.#keyed(event));
    this.element.addEventListener('copy', (event) => this.#copied(event));
    this.#rows.addEventListener('click', (event) => this.#clicked(event));
    this.#observer.observe(this.element);
  }

  get newLines(): number | null {
    return this.#newLines.count;
  }

  show(isShown: boolean): void {
    this.#isShown = isShown;
    this.element.hidden = !isShown;
    this.#schedule();
  }

  showTimes(isShown: boolean): void {
    this.element.classList.toggle('without-times', !isShown);
    this.restyle();
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  toEnd(): void {
    this.#leftAtLine = null;
    this.#newLines.set(null);
    this.#schedule();
  }

  /** The line with this byte of all output, as soon as it is there. */
  goTo(offset: number): void {
    this.#target = offset;
    this.#schedule();
  }

  /** Colours, letters or columns are others. */
  restyle(): void {
    this.#palette = pagePalette();
    this.#look += 1;
    this.#grid.forget();
    this.#schedule();
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#newLines.dispose();
    this.#observer.disconnect();
    this.#selection.dispose();
    this.element.remove();
  }

  /** However much comes, it is drawn once a frame, and only what is in sight. */
  #schedule(): void {
    if (!this.#isShown || this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    const height = this.element.clientHeight;
    if (height === 0) return;
    const grid = this.#measure();
    this.#sync(grid);
    this.search.step();
    this.#reachTarget(height);
    const top = this.#topPx(grid, height);
    const first = this.#map.idAt(Math.floor((top - this.#headPx(grid)) / grid.rowPx)) - OVERSCAN;
    const last = this.#map.idAt(Math.ceil((top + height - this.#headPx(grid)) / grid.rowPx)) + OVERSCAN;
    this.#drawRows(Math.max(first, this.#map.firstId), Math.min(last, this.#map.endId - 1), grid);
    this.#space.style.height = `${this.#headPx(grid) + this.#map.total * grid.rowPx}px`;
    for (const [id, { element }] of this.#drawn) {
      element.style.top = `${this.#headPx(grid) + this.#map.offsetOf(id) * grid.rowPx}px`;
    }
    const wanted = this.#topPx(grid, height);
    if (Math.abs(this.element.scrollTop - wanted) >= 1) this.element.scrollTop = wanted;
    this.#setTop = this.element.scrollTop;
    if (this.#leftAtLine !== null) this.#newLines.set(this.lines.lineCount - this.#leftAtLine);
  }

  /** Takes over what has changed in the lines: what was open, what is new, what has been dropped. */
  #sync(grid: Grid): void {
    const { lines } = this;
    if (lines.firstId > this.#map.endId) this.#map = new RowMap(lines.firstId);
    this.#map.dropTo(lines.firstId);
    for (const id of this.#openIds) {
      const entry = lines.at(id);
      if (entry) this.#map.set(id, rowsOf(entry, grid));
    }
    for (let id = this.#map.endId; id < lines.endId; id += 1) {
      const entry = lines.at(id);
      this.#map.append(entry ? rowsOf(entry, grid) : 0);
    }
    this.#openIds = lines.openIds;
    this.#dropped.hidden = lines.droppedLines === 0;
    if (lines.droppedLines > 0) {
      const count = lines.droppedLines.toLocaleString('en');
      this.#dropped.textContent = `— ${count} earlier lines are not kept in this page —`;
    }
  }

  #drawRows(first: number, last: number, grid: Grid): void {
    const pinned = this.#selection.pinned.filter((id) => id >= this.#map.firstId && id < this.#map.endId);
    for (const [id, { element }] of this.#drawn) {
      if ((id >= first && id <= last) || pinned.includes(id)) continue;
      element.remove();
      this.#drawn.delete(id);
    }
    const ids = pinned.filter((id) => id < first || id > last);
    for (let id = first; id <= last; id += 1) ids.push(id);
    const fresh: number[] = [];
    let before: Element | null = null;
    for (const id of ids.toSorted((one, other) => one - other)) {
      const element = this.#rowOf(id, fresh);
      if (!element) continue;
      const place: Element | null = before ? before.nextElementSibling : this.#rows.firstElementChild;
      if (place !== element) this.#rows.insertBefore(element, place);
      before = element;
    }
    // All at once, so that the page is laid out once: what the letters really take, wide ones and tabs too.
    for (const id of fresh) {
      const px = this.#drawn.get(id)?.element.offsetHeight ?? 0;
      if (px > 0) this.#map.set(id, Math.max(1, Math.round(px / grid.rowPx)));
    }
  }

  #rowOf(id: number, fresh: number[]): HTMLElement | null {
    const entry = this.lines.at(id);
    if (!entry) return null;
    const there = this.#drawn.get(id);
    if (there?.version === entry.version && there.look === this.#look) return there.element;
    const element = drawRow(entry, id, {
      key: this.#options.key,
      palette: this.#palette,
      marks: this.search.marksIn(id),
    });
    if (id === this.#targetId) element.classList.add('target');
    there?.element.replaceWith(element);
    this.#drawn.set(id, { element, version: entry.version, look: this.#look });
    fresh.push(id);
    return element;
  }

  #measure(): Grid {
    const before = this.#grid.current;
    const { endId, firstId, droppedLines } = this.lines;
    const grid = this.#grid.measure(this.element, endId - firstId + droppedLines);
    if (grid === before) return grid;
    // Everything may wrap elsewhere.
    this.#map = new RowMap(firstId);
    this.#look += 1;
    return grid;
  }

  #headPx({ rowPx }: Grid): number {
    return this.lines.droppedLines > 0 ? rowPx : 0;
  }

  #topPx(grid: Grid, height: number): number {
    const end = Math.max(0, this.#headPx(grid) + this.#map.total * grid.rowPx - height);
    if (this.#leftAtLine === null) return end;
    const { id, px } = this.#anchor;
    const top = id < this.#map.firstId ? 0 : this.#headPx(grid) + this.#map.offsetOf(id) * grid.rowPx + px;
    return Math.max(0, Math.min(end, top));
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    // The page's own doing.
    const grid = this.#grid.current;
    if (!grid || clientHeight === 0 || Math.abs(scrollTop - this.#setTop) < 1) return;
    this.#setTop = scrollTop;
    if (scrollTop + clientHeight >= scrollHeight - END_PX) {
      this.toEnd();
      return;
    }
    const y = scrollTop - this.#headPx(grid);
    const id = this.#map.idAt(Math.floor(y / grid.rowPx));
    this.#leave({ id, px: y - this.#map.offsetOf(id) * grid.rowPx });
    this.#schedule();
  }

  #leave(anchor: { readonly id: number; readonly px: number }): void {
    this.#anchor = anchor;
    this.#leftAtLine ??= this.lines.lineCount;
    this.#newLines.set(this.lines.lineCount - this.#leftAtLine);
  }

  /** Into sight, and no further: whoever goes from match to match keeps the picture. */
  #reveal({ id, start }: LineMatch): void {
    const grid = this.#grid.current;
    if (!grid) return;
    const height = this.element.clientHeight;
    const y = this.#headPx(grid) + (this.#map.offsetOf(id) + Math.floor(start / grid.columns)) * grid.rowPx;
    const top = this.#topPx(grid, height);
    if (y >= top && y + grid.rowPx <= top + height) return;
    const px = y - this.#headPx(grid) - this.#map.offsetOf(id) * grid.rowPx;
    this.#leave({ id, px: px - Math.round(height * TARGET_SHARE) });
  }

  #reachTarget(height: number): void {
    if (this.#target === null || this.lines.endOffset <= this.#target) return;
    this.#targetId = this.lines.idAtOffset(this.#target) ?? this.lines.firstId;
    this.#target = null;
    this.#look += 1;
    this.#leave({ id: this.#targetId, px: -Math.round(height * TARGET_SHARE) });
  }

  #keyed(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#selection.clear();
    this.#scrolledByKey(event);
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 'a') {
      event.preventDefault();
      this.#selection.selectAll();
    } else if (key === 'c' && event.ctrlKey && !event.shiftKey && this.#selection.isEmpty && !isSelected()) {
      event.preventDefault();
      this.#options.onInterrupt();
    }
  }

  /** At once: a browser scrolls by keys little by little, and every drawing in between would end that. */
  #scrolledByKey(event: KeyboardEvent): void {
    const { element } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target !== element) return;
    const page = element.clientHeight * PAGE_SHARE;
    const by = { PageUp: -page, PageDown: page, ArrowUp: -ARROW_PX, ArrowDown: ARROW_PX }[event.key];
    if (event.key === 'End') this.toEnd();
    else if (event.key === 'Home') element.scrollTop = 0;
    else if (by !== undefined) element.scrollTop += by;
    else return;
    event.preventDefault();
  }

  #copied(event: ClipboardEvent): void {
    if (this.#selection.isEmpty) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', this.#selection.text());
  }

  /** A click on a number puts the link into the address, to be copied from there; the page stays as it is. */
  #clicked(event: MouseEvent): void {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.log-number[href]') : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.replaceState(null, '', link.href);
    this.#targetId = Number(link.closest<HTMLElement>('.log-row')?.dataset['id']);
    this.#look += 1;
    this.#schedule();
  }
}

/** Whether anything on the page is selected, and so is what a person sees they would copy. */
const isSelected = (): boolean => document.getSelection()?.isCollapsed === false;
