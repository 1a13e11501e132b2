// A terminal's scroll bar. xterm.js draws it anew for every line that is scrolled, and starts and stops a timer for each,
// which takes longer than the line itself: it is drawn once a frame instead.
import type { ITerminalAddon, Terminal } from '@xterm/xterm';

/** Draws it for where is scrolled to, whatever was drawn before; where that is has been decided elsewhere, and at once. */
type Draw = (scrolledTo: unknown) => void;

/** The method that draws it, inside xterm.js. */
const DRAW = '_handleScroll';

/** For a terminal that is open. */
export class ScrollBarByFrame implements ITerminalAddon {
  #frame: number | null = null;
  #scrolledTo: unknown;

  activate(terminal: Terminal): void {
    const bars = ['_core', '_viewport', '_scrollableElement'].reduce<object>(
      (outer, name) => Reflect.get(outer, name) as object,
      terminal,
    );
    const draw = (Reflect.get(bars, DRAW) as Draw).bind(bars);
    const drawByFrame: Draw = (scrolledTo) => {
      this.#scrolledTo = scrolledTo;
      this.#frame ??= requestAnimationFrame(() => {
        this.#frame = null;
        draw(this.#scrolledTo);
      });
    };
    Reflect.set(bars, DRAW, drawByFrame);
  }

  dispose(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
  }
}
