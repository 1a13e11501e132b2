// Whether somebody selects in a terminal: from the press of the button until nothing is selected any more, or until what
// was selected has gone from the scrollback.
import type { IDisposable, IMarker, Terminal } from '@xterm/xterm';

const PRIMARY_BUTTON = 0;

export class Selecting {
  readonly #terminal: Terminal;
  readonly #listeners = new AbortController();
  readonly #selection: IDisposable;
  #isPressed = false;
  /** On the first line of what is selected. */
  #marker: IMarker | null = null;
  #hasGone = false;

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
        if (button !== PRIMARY_BUTTON) return;
        this.#isPressed = true;
        this.#hasGone = false;
      },
      options,
    );
    // A selection is often dragged out of its pane, and sometimes out of the window.
    window.addEventListener('mouseup', release, options);
    window.addEventListener(
      'blur',
      ({ target }) => {
        // The event comes for elements, too: a press moves the focus into the terminal.
        if (target === window) release();
      },
      options,
    );
    this.#selection = terminal.onSelectionChange(() => {
      this.#mark();
      look();
    });
  }

  get isOn(): boolean {
    return this.#isPressed || this.#terminal.hasSelection();
  }

  /** Whether what was selected has gone from the scrollback: once, and not when something else was done since. */
  takeGone(): boolean {
    const hasGone = this.#hasGone;
    this.#hasGone = false;
    return hasGone;
  }

  dispose(): void {
    const marker = this.#marker;
    this.#marker = null;
    marker?.dispose();
    this.#listeners.abort();
    this.#selection.dispose();
  }

  /** A terminal would go on to select whatever comes to stand in the place of a word that has been scrolled away. */
  #mark(): void {
    const { buffer } = this.#terminal;
    const former = this.#marker;
    this.#marker = null;
    former?.dispose();
    const position = this.#terminal.getSelectionPosition();
    if (!position || buffer.active.type === 'alternate') return;
    const { baseY, cursorY } = buffer.active;
    const marker = this.#terminal.registerMarker(position.start.y - baseY - cursorY);
    this.#marker = marker;
    marker.onDispose(() => {
      if (marker !== this.#marker || !this.#isAtTop()) return;
      this.#hasGone = true;
      this.#terminal.clearSelection();
    });
  }

  /** What is erased where it stands is selected still; only the first line is ever scrolled away. */
  #isAtTop(): boolean {
    const { buffer, rows, options } = this.#terminal;
    const isFull = buffer.normal.length >= rows + (options.scrollback ?? 0);
    return isFull && (this.#terminal.getSelectionPosition()?.start.y ?? 0) === 0;
  }
}
