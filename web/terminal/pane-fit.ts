// How a terminal lies in its pane: who controls a tty gives it the pane's size, everybody else sees its size drawn to fit.
import { FitAddon } from '@xterm/addon-fit';
import type { Terminal } from '@xterm/xterm';
import type { Size } from '../../server/protocol/scalars.ts';
import { terminalFont } from './terminal-font.ts';

const SMALLEST_FONT_PX = 4;
/** Times the letters' own size, or the size at which all of a scaled screen fits. */
const ZOOM = { least: 0.5, most: 4, step: 1.2 } as const;
const FONT_STEP_PX = 0.25;
/** While a divider is dragged the program is not asked to redraw for every pixel. */
const RESIZE_AFTER_MS = 60;
/** What xterm.js leaves for its scrollbar. */
const SCROLLBAR_PX = 14;

export interface PaneFitOptions {
  readonly terminal: Terminal;
  /** Fills the pane. */
  readonly element: HTMLElement;
  /** Asks the process to have a size; null for one without a tty, whose output any width will do for. */
  readonly resize: ((size: Size) => Promise<void>) | null;
}

export class PaneFit {
  readonly #options: PaneFitOptions;
  readonly #addon = new FitAddon();
  #asked: Size | null = null;
  #zoom = 1;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(options: PaneFitOptions) {
    this.#options = options;
    options.terminal.loadAddon(this.#addon);
  }

  layOut(isControlled: boolean): void {
    const { element, terminal, resize } = this.#options;
    if (element.clientWidth === 0 || element.clientHeight === 0) return;
    if (resize && !isControlled) {
      this.#cancel();
      this.#asked = null;
      this.#scale();
      return;
    }
    element.classList.remove('zoomed', 'scaled');
    this.#setFontSize(this.#fontSize);
    const proposed = this.#addon.proposeDimensions();
    if (!proposed || !Number.isFinite(proposed.cols) || !Number.isFinite(proposed.rows)) return;
    const size = { rows: Math.max(1, proposed.rows), cols: Math.max(2, proposed.cols) };
    if (resize) this.#ask(size, resize);
    else terminal.resize(size.cols, size.rows);
  }

  /** Larger or smaller letters, for this pane alone: by one step, back to their own size, or by a factor. */
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
    this.#cancel();
  }

  #ask(size: Size, resize: (size: Size) => Promise<void>): void {
    const { terminal } = this.#options;
    this.#cancel();
    const isAsked = this.#asked?.rows === size.rows && this.#asked.cols === size.cols;
    if (isAsked || (!this.#asked && terminal.rows === size.rows && terminal.cols === size.cols)) return;
    this.#timer = setTimeout(() => {
      this.#asked = size;
      // Refused or lost: the next occasion asks again.
      resize(size).catch(() => {
        this.#asked = null;
      });
    }, RESIZE_AFTER_MS);
  }

  #cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** The largest letters, up to their own size, with which the process's whole screen fits: crisp, unlike a zoom. */
  #scale(): void {
    const { element } = this.#options;
    const screen = element.querySelector('.xterm-screen');
    if (!screen) return;
    const size = this.#fitting(screen);
    element.classList.add('scaled');
    // Larger than its pane, it is scrolled within it.
    element.classList.toggle('zoomed', this.#zoom > 1);
    if (this.#zoom !== 1) this.#setFontSize(Math.max(SMALLEST_FONT_PX, size * this.#zoom));
  }

  /** Leaves the terminal with the letters that it gives the size of. */
  #fitting(screen: Element): number {
    const { element } = this.#options;
    const room = { width: element.clientWidth - SCROLLBAR_PX, height: element.clientHeight };
    this.#setFontSize(terminalFont().fontSize);
    const ratio = Math.min(1, room.width / screen.clientWidth, room.height / screen.clientHeight);
    if (ratio >= 1) return terminalFont().fontSize;
    let size = Math.floor((terminalFont().fontSize * ratio) / FONT_STEP_PX) * FONT_STEP_PX;
    this.#setFontSize(Math.max(SMALLEST_FONT_PX, size));
    // Cells are whole device pixels, so a smaller letter may still take as much room.
    while (
      size > SMALLEST_FONT_PX &&
      (screen.clientWidth > room.width || screen.clientHeight > room.height)
    ) {
      size -= FONT_STEP_PX;
      this.#setFontSize(size);
    }
    return size;
  }

  #setFontSize(size: number): void {
    const { options } = this.#options.terminal;
    if (options.fontSize !== size) options.fontSize = size;
  }
}
