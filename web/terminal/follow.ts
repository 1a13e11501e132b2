// Whether a terminal follows its output: it does until its reader scrolls up, and says what has come since.
import type { IDisposable, Terminal } from '@xterm/xterm';

/** A flood changes the number at every line; a person reads it a few times a second. */
const TELL_MS = 250;

export class Follow {
  readonly #terminal: Terminal;
  readonly #changed: (newLines: number | null) => void;
  readonly #subscriptions: readonly IDisposable[];
  #newLines: number | null = null;
  #told: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `changed`: how many lines have come since the reader left the end; null while it follows. */
  constructor(terminal: Terminal, changed: (newLines: number | null) => void) {
    this.#terminal = terminal;
    this.#changed = changed;
    this.#subscriptions = [
      terminal.onLineFeed(() => {
        if (this.#newLines === null) return;
        this.#newLines += 1;
        this.#tell();
      }),
      terminal.onScroll(() => this.#look()),
      terminal.buffer.onBufferChange(() => this.#look()),
    ];
  }

  toEnd(): void {
    this.#terminal.scrollToBottom();
    this.#look();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #look(): void {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    const isAtEnd = viewportY >= baseY;
    if (isAtEnd) this.#newLines = null;
    else this.#newLines ??= 0;
    this.#tell();
  }

  #tell(): void {
    const isOther = (this.#newLines === null) !== (this.#told === null);
    if (isOther) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#say();
    } else if (this.#newLines !== this.#told) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#say();
      }, TELL_MS);
    }
  }

  #say(): void {
    if (this.#told === this.#newLines) return;
    this.#told = this.#newLines;
    this.#changed(this.#told);
  }
}
