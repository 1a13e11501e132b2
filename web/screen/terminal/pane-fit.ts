// Size of a terminal in its pane: the controller resizes a tty to the pane; for everyone else, the screen is scaled to
// fit.
import { FitAddon } from '@xterm/addon-fit';
import type { Terminal } from '@xterm/xterm';
import type { Size } from '../../../protocol/scalars.ts';
import { terminalFont } from '../../state/page/terminal-font.ts';

const SMALLEST_FONT_PX = 4;
/**
 * Minimum and maximum font size of a scaled screen, unless the configured size is beyond them: a larger screen scrolls,
 * a smaller one leaves space. Zooming may exceed them.
 */
const FITTED_PX = { least: 10, most: 16 } as const;
/** Space around a scaled screen for its visible border. */
const EDGE_PX = 1;
/** Zoom factors, relative to the configured font size or to the size at which a scaled screen fits. */
const ZOOM = { least: 0.5, most: 4, step: 1.2 } as const;
const FONT_STEP_PX = 0.25;
/** Delay of a resize, so that the program does not redraw for every pixel of a dragged divider. */
const RESIZE_AFTER_MS = 60;
/** Width that xterm.js reserves for its scrollbar. */
const SCROLLBAR_PX = 14;

export interface PaneFitOptions {
  readonly terminal: Terminal;
  /** The element that fills the pane. */
  readonly element: HTMLElement;
  /** Requests a new size of the process; null for a process without a tty, whose output fits any width. */
  readonly resize: ((size: Size) => Promise<void>) | null;
}

export class PaneFit {
  readonly #options: PaneFitOptions;
  readonly #addon = new FitAddon();
  /** Requested size, until the response arrives; null otherwise. */
  #asked: Size | null = null;
  #zoom = 1;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #frame: number | null = null;
  #isScrolledByHand = false;
  #barPx = 0;

  constructor(options: PaneFitOptions) {
    this.#options = options;
    const { terminal, element } = options;
    terminal.loadAddon(this.#addon);
    terminal.onCursorMove(() => {
      this.#frame ??= requestAnimationFrame(() => {
        this.#frame = null;
        this.#showCursor();
      });
    });
    terminal.onData(() => (this.#isScrolledByHand = false));
    for (const by of ['wheel', 'touchmove'] as const) {
      element.addEventListener(by, () => (this.#isScrolledByHand = true), { passive: true });
    }
  }

  /**
   * Sets the height (px) of a bar that temporarily takes space in the pane. The process is not resized for it; the
   * screen scrolls so that the cursor stays visible. Call `layOut` afterwards.
   */
  keepUnder(barPx: number): void {
    this.#barPx = barPx;
    this.#isScrolledByHand = false;
    this.#options.element.classList.toggle('under-bar', barPx > 0);
  }

  layOut(isControlled: boolean): void {
    const { element, terminal, resize } = this.#options;
    if (!this.#isShown) return;
    if (resize && !isControlled) {
      this.#cancel();
      this.#asked = null;
      this.#scale();
      return;
    }
    element.classList.remove('zoomed', 'scaled');
    this.#setFontSize(this.#fontSize);
    if (resize) this.#ask(resize);
    else {
      const size = this.#proposed;
      if (size) terminal.resize(size.cols, size.rows);
    }
    if (this.#barPx === 0) return;
    const screen = element.querySelector('.xterm-screen');
    element.classList.toggle('zoomed', screen !== null && screen.clientHeight > element.clientHeight);
    this.#showCursor();
  }

  /** Changes only this pane's font size, at the next `layOut`: by one step, back to the default, or by a factor. */
  zoom(by: 'larger' | 'smaller' | 'normal' | number): void {
    const factor = by === 'larger' ? ZOOM.step : by === 'smaller' ? 1 / ZOOM.step : by;
    const zoom = factor === 'normal' ? 1 : this.#zoom * factor;
    this.#zoom = Math.min(ZOOM.most, Math.max(ZOOM.least, zoom));
  }

  get #fontSize(): number {
    return Math.max(
      SMALLEST_FONT_PX,
      Math.round((terminalFont().fontSize * this.#zoom) / FONT_STEP_PX) * FONT_STEP_PX,
    );
  }

  dispose(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#cancel();
  }

  #ask(resize: (size: Size) => Promise<void>): void {
    this.#cancel();
    if (!this.#wanted) return;
    this.#timer = setTimeout(() => {
      // Read the size only now: the content is laid out before its pane, which is small until then.
      const size = this.#wanted;
      if (!size) return;
      this.#asked = size;
      const settled = (): void => {
        if (this.#asked === size) this.#asked = null;
      };
      // The terminal's actual size counts again after the answer; the next layout repeats a request that failed.
      resize(size).then(settled, settled);
    }, RESIZE_AFTER_MS);
  }

  /** Size to request for the process; null when it is already set or requested, or the pane is hidden. */
  get #wanted(): Size | null {
    const { terminal } = this.#options;
    const size = this.#isShown ? this.#proposed : null;
    if (!size) return null;
    const { rows, cols } = this.#asked ?? terminal;
    return rows === size.rows && cols === size.cols ? null : size;
  }

  get #isShown(): boolean {
    const { element } = this.#options;
    return element.clientWidth > 0 && element.clientHeight > 0;
  }

  get #proposed(): Size | null {
    const proposed = this.#addon.proposeDimensions();
    if (!proposed || !Number.isFinite(proposed.cols) || !Number.isFinite(proposed.rows)) return null;
    return { rows: Math.max(1, this.#rowsWithoutBar ?? proposed.rows), cols: Math.max(2, proposed.cols) };
  }

  /** Number of rows that the pane would have without the bar; null when there is no bar or nothing is drawn yet. */
  get #rowsWithoutBar(): number | null {
    const { element, terminal } = this.#options;
    const cellPx = (element.querySelector('.xterm-screen')?.clientHeight ?? 0) / terminal.rows;
    if (this.#barPx === 0 || cellPx === 0) return null;
    return Math.floor((element.clientHeight + this.#barPx) / cellPx);
  }

  #cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /**
   * Sets the font size that `#fitting` returns, times the zoom; text stays sharp, unlike with CSS zoom.
   */
  #scale(): void {
    const { element } = this.#options;
    const screen = element.querySelector('.xterm-screen');
    if (!screen) return;
    const size = this.#fitting(screen);
    element.classList.add('scaled');
    const wanted = Math.max(SMALLEST_FONT_PX, size * this.#zoom);
    if (this.#zoom !== 1) this.#setFontSize(wanted);
    // A screen larger than its pane scrolls.
    const { width, height } = this.#room;
    element.classList.toggle(
      'zoomed',
      screen.clientWidth > width || screen.clientHeight > height - this.#barPx,
    );
    this.#showCursor();
  }

  /** Sets the largest permitted font size at which the screen fits, otherwise the smallest one, and returns it. */
  #fitting(screen: Element): number {
    const room = this.#room;
    const { fontSize } = terminalFont();
    const least = Math.min(fontSize, FITTED_PX.least);
    const most = Math.max(fontSize, FITTED_PX.most);
    this.#setFontSize(most);
    const ratio = Math.min(1, room.width / screen.clientWidth, room.height / screen.clientHeight);
    let size = Math.max(least, Math.floor((most * ratio) / FONT_STEP_PX) * FONT_STEP_PX);
    this.#setFontSize(size);
    // Cells are whole device pixels, so a smaller font may still need as much space.
    while (size > least && (screen.clientWidth > room.width || screen.clientHeight > room.height)) {
      size = Math.max(least, size - FONT_STEP_PX);
      this.#setFontSize(size);
    }
    return size;
  }

  get #room(): { readonly width: number; readonly height: number } {
    const { element, terminal } = this.#options;
    const scrollbar = terminal.options.scrollbar?.showScrollbar === false ? 0 : SCROLLBAR_PX;
    return {
      width: element.clientWidth - scrollbar - 2 * EDGE_PX,
      height: element.clientHeight + this.#barPx - 2 * EDGE_PX,
    };
  }

  /** Scrolls an oversized screen to the cursor, unless the person has scrolled. */
  #showCursor(): void {
    const { element, terminal } = this.#options;
    const screen = element.querySelector('.xterm-screen');
    if (this.#isScrolledByHand || !screen || !element.classList.contains('zoomed')) return;
    const { cursorX, cursorY } = terminal.buffer.active;
    const own = element.getBoundingClientRect();
    const { left, top, width, height } = screen.getBoundingClientRect();
    const cell = { width: width / terminal.cols, height: height / terminal.rows };
    const x = left - own.left + element.scrollLeft + cursorX * cell.width;
    const y = top - own.top + element.scrollTop + cursorY * cell.height;
    element.scrollTo({
      left: within(element.scrollLeft, x + cell.width - element.clientWidth, x),
      top: within(element.scrollTop, y + cell.height - element.clientHeight, y),
    });
  }

  #setFontSize(size: number): void {
    const { options } = this.#options.terminal;
    if (options.fontSize !== size) options.fontSize = size;
  }
}

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
