// Whether somebody selects in a terminal: from the press of the button until nothing is selected any more.
import type { IDisposable, Terminal } from '@xterm/xterm';

const PRIMARY_BUTTON = 0;

export class Selecting {
  readonly #terminal: Terminal;
  readonly #listeners = new AbortController();
  readonly #selection: IDisposable;
  #isPressed = false;

  /** `ended`: what is there may go; also after a mere click. */
  constructor(terminal: Terminal, host: HTMLElement, ended: () => void) {
    this.#terminal = terminal;
    const look = (): void => {
      if (!this.isOn) ended();
    };
    const release = (): void => {
      if (!this.#isPressed) return;
      this.#isPressed = false;
      look();
    };
    // Before the terminal, which keeps some of these for itself.
    const options = { capture: true, signal: this.#listeners.signal };
    host.addEventListener(
      'mousedown',
      ({ button }) => {
        if (button === PRIMARY_BUTTON) this.#isPressed = true;
      },
      options,
    );
    // A selection is often dragged out of its pane, and sometimes out of the window.
    window.addEventListener('mouseup', release, options);
    window.addEventListener('blur', release, options);
    this.#selection = terminal.onSelectionChange(look);
  }

  get isOn(): boolean {
    return this.#isPressed || this.#terminal.hasSelection();
  }

  dispose(): void {
    this.#listeners.abort();
    this.#selection.dispose();
  }
}
