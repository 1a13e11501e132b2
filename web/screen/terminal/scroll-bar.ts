// A terminal's scroll bar. xterm.js draws it anew for every line that is scrolled, and starts and stops a timer for each,
// which takes longer than the line itself: it is drawn once a frame instead. Only the drawing waits, never the scrolling.
import type { ITerminalAddon, Terminal } from '@xterm/xterm';

/** An event has all that is drawn, so that the last one of a frame is enough. */
type HandleScroll = (event: unknown) => void;

/** The method that draws it, inside xterm.js. */
const HANDLE_SCROLL = '_handleScroll';

/** For a terminal that is open. */
export class ScrollBarByFrame implements ITerminalAddon {
  #frame: number | null = null;
  #last: unknown;

  activate(terminal: Terminal): void {
    const scrollable = ['_core', '_viewport', '_scrollableElement'].reduce<object>(
      (outer, name) => Reflect.get(outer, name) as object,
      terminal,
    );
    const handleScroll = (Reflect.get(scrollable, HANDLE_SCROLL) as HandleScroll).bind(scrollable);
    const handleByFrame: HandleScroll = (event) => {
      this.#last = event;
      this.#frame ??= requestAnimationFrame(() => {
        this.#frame = null;
        handleScroll(this.#last);
      });
    };
    Reflect.set(scrollable, HANDLE_SCROLL, handleByFrame);
  }

  dispose(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
  }
}
