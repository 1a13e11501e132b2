// Log view without React: draws only lines in or near the view, and follows the end until the reader scrolls away.
import type { Stream } from '../../../protocol/process.ts';
import { PacedCount } from '../../state/page/paced-count.ts';
import type { Palette } from './colours.ts';
import { DrawnRows } from './drawn-rows.ts';
import { DroppedNote } from './dropped-note.ts';
import type { LinePlaces } from '../../state/page/line-link.ts';
import { LineTarget } from './line-target.ts';
import { logElement } from './log-element.ts';
import { LogGrid, type Grid } from './log-grid.ts';
import { answerKeys } from './log-keys.ts';
import { HiddenCount } from './hidden-count.ts';
import { LogLines } from './log-lines.ts';
import { LogPast } from './log-past.ts';
import { LogRows } from './log-rows.ts';
import { LogSearch, type LineMatch } from './log-search.ts';
import type { LogViewOptions } from './log-view-options.ts';
import { LogSelection } from './log-selection.ts';
import { pagePalette } from './palette.ts';
import { reportPointedLink } from './pointed-link.ts';
import { ReadingPlace, START_PX } from './reading-place.ts';
import { ScrollScale } from './scroll-scale.ts';
import { WidestLine } from './widest-line.ts';

/** Entries drawn above and below the view, so that scrolling shows no gaps. */
const OVERSCAN = 12;
/** Distance in px within which the view counts as at the end. */
const END_PX = 4;
/** Position of a linked line or a match in the view, as a fraction of the height. */
const TARGET_SHARE = 0.3;

export class LogView {
  readonly element = logElement();
  readonly lines = new LogLines(() => this.#schedule());
  readonly search: LogSearch;
  readonly #space = document.createElement('div');
  readonly #rows = document.createElement('div');
  readonly #dropped = new DroppedNote(this.lines);
  readonly #grid = new LogGrid();
  readonly #selection: LogSelection;
  readonly #newLines: PacedCount;
  readonly #hidden: HiddenCount;
  readonly #observer = new ResizeObserver(() => this.#schedule());
  readonly #drawn: DrawnRows;
  readonly #place = new ReadingPlace();
  #palette: Palette = pagePalette();
  readonly #map = new LogRows();
  readonly #scale = new ScrollScale();
  readonly #past: LogPast;
  #isShown = false;
  #frame = 0;
  #wraps = true;
  readonly #widest = new WidestLine(this.element, this.#space);
  #setTop = 0;
  readonly #target: LineTarget;

  constructor(options: LogViewOptions) {
    this.#space.className = 'log-space';
    this.#rows.className = 'log-rows';
    this.#space.append(this.#grid.element, this.#dropped.element, this.#rows);
    this.element.append(this.#space);
    this.#selection = new LogSelection(this.#rows, this.lines, () => {
      this.#keep();
      options.onSelected();
    });
    this.#past = new LogPast({
      lines: this.lines,
      place: this.#place,
      ask: options.ask,
      changed: () => this.#schedule(),
      located: () => this.#located(options),
    });
    this.#target = new LineTarget({
      key: options.key,
      lines: this.lines,
      isCounting: () => this.#past.isCounting,
      rowAt: (offset) => this.#past.rowAt(offset),
      changed: () => this.#redraw(),
      selected: (from, to) => {
        this.#selection.selectLines(from, to);
        this.focus();
      },
    });
    this.#drawn = new DrawnRows({
      element: this.#rows,
      lines: this.lines,
      selection: this.#selection,
      lookOf: (id) => ({
        key: options.key,
        palette: this.#palette,
        marks: this.search.marksIn(id),
        isTarget: this.#target.has(this.lines.at(id)),
      }),
    });
    this.search = new LogSearch({
      lines: this.lines,
      changed: (matches) => options.onState({ matches }),
      askPast: options.askMatches,
      reveal: (match) => this.#reveal(match),
      revealPast: (offset) => {
        this.#widest.reveal();
        void this.#goToByte(offset, -Math.round(this.element.clientHeight * TARGET_SHARE));
      },
      redraw: () => this.#redraw(),
    });
    this.#newLines = new PacedCount(options.onNewLines);
    this.#hidden = new HiddenCount((hidden) => options.onState({ hidden }));
    this.element.addEventListener('scroll', () => this.#scrolled());
    answerKeys({
      element: this.element,
      selection: this.#selection,
      toStart: () => this.#leave({ id: this.lines.topId, px: START_PX }),
      toEnd: () => this.#follow(),
      interrupt: options.onInterrupt,
    });
    this.#target.listen(this.#rows);
    reportPointedLink(this.#rows, (link) => options.onState({ link }));
    this.#observer.observe(this.element);
  }

  get newLines(): number | null {
    return this.#newLines.count;
  }

  show(isShown: boolean): void {
    // A hidden selection must not be copied.
    if (!isShown) this.#selection.clear();
    this.#isShown = isShown;
    this.element.hidden = !isShown;
    this.#keep();
    this.#schedule();
  }

  showTimes(isShown: boolean): void {
    this.element.classList.toggle('without-times', !isShown);
    this.restyle();
  }

  /** Shows only the lines of one stream; null shows all. */
  showOnly(stream: Stream | null): void {
    if (!this.lines.showOnly(stream)) return;
    this.#map.restart(this.lines.firstId);
    this.#place.recount(this.lines.lineCount);
    this.#hidden.set(this.lines.hidden);
    this.search.again();
    this.restyle();
  }

  wrap(wraps: boolean): void {
    this.#wraps = wraps;
    this.element.classList.toggle('unwrapped', !wraps);
    this.restyle();
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  /** Follows the end and clears the selection, which would otherwise hold back new output. */
  toEnd(): void {
    this.#selection.clear();
    this.#follow();
  }

  /** Drops the finished lines and follows the end. */
  clear(): void {
    this.lines.clear();
    this.toEnd();
  }

  /** True when the log is full and new output would evict lines that the user reads, or text they have selected. */
  get isFull(): boolean {
    return this.lines.isFull && this.#isRead;
  }

  /** Scrolls to the linked line or range as soon as its place is known. */
  goTo(link: LinePlaces): void {
    this.#target.goTo(link);
    this.#schedule();
  }

  restyle(): void {
    this.#palette = pagePalette();
    this.#widest.forget();
    this.#grid.forget();
    this.#redraw();
  }

  dispose(): void {
    // Responses that arrive later are not drawn.
    this.#isShown = false;
    cancelAnimationFrame(this.#frame);
    this.#newLines.dispose();
    this.#hidden.dispose();
    this.#past.dispose();
    this.#observer.disconnect();
    this.#selection.dispose();
    this.element.remove();
  }

  /** Draws the log in the next frame, unless the log is hidden. */
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
    this.#past.step();
    const grid = this.#measure();
    this.#map.sync(this.lines, grid);
    this.#dropped.report();
    this.search.step();
    this.#reachTarget(height);
    const { rowPx } = grid;
    const headPx = this.#headPx(grid);
    const top = this.#topPx(grid, height);
    const first = this.#map.idAt(Math.floor((top - headPx) / rowPx)) - OVERSCAN;
    const last = this.#map.idAt(Math.ceil((top + height - headPx) / rowPx)) + OVERSCAN;
    const [from, to] = [Math.max(first, this.#map.firstId), Math.min(last, this.#map.endId - 1)];
    this.#drawRows(from, to, grid);
    this.#past.want(from, to);
    const total = headPx + this.#map.total * rowPx;
    const wanted = this.#scale.scrollTop(this.#topPx(grid, height), { total, height });
    this.#space.style.height = `${this.#scale.spaceOf(total)}px`;
    this.#drawn.place((id) => headPx + this.#map.offsetOf(id) * rowPx - this.#scale.shift);
    if (Math.abs(this.element.scrollTop - wanted) >= 1) this.element.scrollTop = wanted;
    this.#setTop = this.element.scrollTop;
    if (!this.#wraps) this.#widest.drawn();
    this.#newLines.set(this.#place.newLines(this.lines.lineCount));
    this.#hidden.set(this.lines.hidden);
  }

  /** Preserves the reader's position when the ids of recorded lines change. */
  #located({ onState }: LogViewOptions): void {
    const offset = this.#place.located(this.lines);
    if (offset !== null) void this.#goToByte(offset, 0);
    this.#map.restart(this.lines.firstId);
    onState({ missedBytes: 0 });
    this.#redraw();
  }

  #drawRows(first: number, last: number, grid: Grid): void {
    const fresh = this.#drawn.draw(first, last);
    // All heights are read together to force only one layout; they account for wide characters and tabs.
    for (const [id, { offsetHeight }] of fresh) {
      if (offsetHeight > 0) this.#map.set(id, Math.max(1, Math.round(offsetHeight / grid.rowPx)));
    }
  }

  #redraw(): void {
    this.#drawn.restyle();
    this.#schedule();
  }

  #measure(): Grid {
    const before = this.#grid.current;
    const { endId, firstId, topId, droppedLines } = this.lines;
    const count = endId - Math.min(topId, firstId - droppedLines);
    const grid = this.#grid.measure(this.element, count, this.#wraps);
    if (grid === before) return grid;
    // Any line may wrap differently on a new grid.
    this.#map.restart(firstId);
    this.#drawn.restyle();
    return grid;
  }

  #headPx({ rowPx }: Grid): number {
    return this.#dropped.isShown ? rowPx : 0;
  }

  #topPx(grid: Grid, height: number): number {
    const layout = { map: this.#map, rowPx: grid.rowPx, headPx: this.#headPx(grid) };
    return this.#place.topPx(layout, height);
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight: height } = this.element;
    // Scroll events caused by the page itself are ignored.
    const grid = this.#grid.current;
    if (!grid || height === 0 || Math.abs(scrollTop - this.#setTop) < 1) return;
    const total = this.#headPx(grid) + this.#map.total * grid.rowPx;
    const top = this.#scale.contentTop(scrollTop, this.#setTop, { total, height });
    this.#setTop = scrollTop;
    if (top + height >= (this.#scale.shift === 0 ? scrollHeight : total) - END_PX) {
      this.#follow();
      return;
    }
    const y = top - this.#headPx(grid);
    const id = this.#map.idAt(Math.floor(y / grid.rowPx));
    this.#leave({ id, px: y - this.#map.offsetOf(id) * grid.rowPx });
  }

  #leave(anchor: { readonly id: number; readonly px: number }): void {
    this.#place.leave(anchor, this.lines);
    this.#newLines.set(this.#place.newLines(this.lines.lineCount));
    this.#keep();
    this.#schedule();
  }

  #follow(): void {
    this.#place.follow();
    this.#newLines.set(null);
    this.#keep();
    this.#schedule();
  }

  get #isRead(): boolean {
    const { firstId, pastRows } = this.lines;
    // Recorded lines stay readable even after they are dropped from memory.
    const isInMemory = pastRows === 0 || (this.#place.anchorId ?? firstId) >= firstId;
    return this.#isShown && ((this.newLines !== null && isInMemory) || !this.#selection.isEmpty);
  }

  /** Retains all lines while the user reads them; an unread log stays within its limits. */
  #keep(): void {
    this.lines.keepAll(this.#isRead);
  }

  /** Scrolls only when the match is outside the view, so that the view does not jump from match to match. */
  #reveal({ id, start }: LineMatch): void {
    const grid = this.#grid.current;
    if (!grid) return;
    this.#widest.reveal();
    const height = this.element.clientHeight;
    const y = this.#headPx(grid) + (this.#map.offsetOf(id) + Math.floor(start / grid.columns)) * grid.rowPx;
    const top = this.#topPx(grid, height);
    if (y >= top && y + grid.rowPx <= top + height) return;
    const px = y - this.#headPx(grid) - this.#map.offsetOf(id) * grid.rowPx;
    this.#leave({ id, px: px - Math.round(height * TARGET_SHARE) });
  }

  async #goToByte(offset: number, px: number): Promise<void> {
    const row = await this.#past.rowAt(offset).catch(() => null);
    const id = row === null ? null : this.lines.idOfRow(row);
    if (id === null) return;
    this.#leave({ id, px });
    this.#redraw();
  }

  #reachTarget(height: number): void {
    const id = this.#target.reach();
    if (id !== null) this.#leave({ id, px: -Math.round(height * TARGET_SHARE) });
  }
}
