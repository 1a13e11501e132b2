// A terminal's scroll bar. xterm.js draws it anew for every line that is scrolled, and starts and stops a timer for each,
// which takes longer than the line itself: it is drawn once a frame instead. Only the drawing waits, never the scrolling.
import type { ITerminalAddon, Terminal } from '@xterm/xterm';
import { internalsFor } from '../../../text/xterm-internals.ts';

/** For a terminal that is open. */
export class ScrollBarByFrame implements ITerminalAddon {
  #frame: number | null = null;
  /** An event has all that is drawn, so that the last one of a frame is enough. */
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
