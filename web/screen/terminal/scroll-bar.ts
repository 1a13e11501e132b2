// Scroll bar of a terminal. xterm.js redraws it, and starts and stops a timer, for every scrolled line, which takes
// longer than the line itself; here it is redrawn once per frame. Only drawing is delayed, never scrolling.
import type { ITerminalAddon, Terminal } from '@xterm/xterm';
import { internalsFor } from '../../../text/xterm-internals.ts';

/** Addon that redraws the scroll bar once per frame; requires an open terminal. */
export class ScrollBarByFrame implements ITerminalAddon {
  #frame: number | null = null;
  /** Each event contains the whole state, so the last one in a frame is enough. */
  #last: unknown;

  activate(terminal: Terminal): void {
    const scrollable = internalsFor(terminal, 'scrollBar')?.['_viewport']['_scrollableElement'];
    if (!scrollable) return;
    const handleScroll = scrollable['_handleScroll'].bind(scrollable);
    scrollable['_handleScroll'] = (event) => {
      this.#last = event;
      this.#frame ??= requestAnimationFrame(() => {
        this.#frame = null;
        handleScroll(this.#last);
      });
    };
  }

  dispose(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
  }
}
