// Selecting in a terminal: from the mouse press until the selection is cleared or its text was evicted from the
// scrollback.
import type { IDisposable, IMarker, Terminal } from '@xterm/xterm';

const PRIMARY_BUTTON = 0;

export class Selecting {
  readonly #terminal: Terminal;
  readonly #listeners = new AbortController();
  readonly #selection: IDisposable;
  #isPressed = false;
  /** Marker on the first selected line. */
  #marker: IMarker | null = null;
  #hasGone = false;

  /** Calls `ended` when nothing is selected any more, including after a plain click. */
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
    // Listen in the capture phase, since the terminal stops some of these events.
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
        // The event also fires for elements, since a press moves the focus into the terminal.
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

  /** Returns true once after eviction from the scrollback cleared a selection, unless the mouse was pressed since. */
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

  /** Marks the first selected line, to detect its eviction: the text that replaces it would otherwise be selected. */
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

  /** Returns true when the first selected line was evicted; a line that was only erased stays selected. */
  #isAtTop(): boolean {
    const { buffer, rows, options } = this.#terminal;
    const isFull = buffer.normal.length >= rows + (options.scrollback ?? 0);
    return isFull && (this.#terminal.getSelectionPosition()?.start.y ?? 0) === 0;
  }
}
