// Whether a terminal follows its output: it does until its reader scrolls up, and says what has come since.
import type { IDisposable, Terminal } from '@xterm/xterm';
import { ToldCount } from '../ui/told-count.ts';

export class Follow {
  readonly #terminal: Terminal;
  readonly #newLines: ToldCount;
  readonly #subscriptions: readonly IDisposable[];

  /** `changed`: how many lines have come since the reader left the end; null while it follows. */
  constructor(terminal: Terminal, changed: (newLines: number | null) => void) {
    this.#terminal = terminal;
    this.#newLines = new ToldCount(changed);
    this.#subscriptions = [
      terminal.onLineFeed(() => {
        const { count } = this.#newLines;
        if (count !== null) this.#newLines.set(count + 1);
      }),
      terminal.onScroll(() => this.#look()),
      terminal.buffer.onBufferChange(() => this.#look()),
    ];
  }

  get newLines(): number | null {
    return this.#newLines.count;
  }

  toEnd(): void {
    this.#terminal.scrollToBottom();
    this.#look();
  }

  dispose(): void {
    this.#newLines.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #look(): void {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    this.#newLines.set(viewportY >= baseY ? null : (this.#newLines.count ?? 0));
  }
}
