// Follows a terminal's output until the reader scrolls up, and then counts new lines. Also detects that the reader is
// selecting.
import type { IDisposable, Terminal } from '@xterm/xterm';
import { PacedCount } from '../../state/page/paced-count.ts';
import { Selecting } from './selecting.ts';

export interface FollowOptions {
  readonly terminal: Terminal;
  readonly host: HTMLElement;
  /** Called with the number of new lines since the reader left the end; null while the end is followed. */
  readonly changed: (newLines: number | null) => void;
  /** Called, possibly repeatedly, when the end is followed and nothing is selected. */
  readonly readToEnd: () => void;
}

export class Follow {
  readonly #terminal: Terminal;
  readonly #newLines: PacedCount;
  readonly #selecting: Selecting;
  readonly #subscriptions: readonly IDisposable[];

  constructor({ terminal, host, changed, readToEnd }: FollowOptions) {
    this.#terminal = terminal;
    const look = (): void => {
      if (!this.isRead) readToEnd();
    };
    this.#newLines = new PacedCount((newLines) => {
      changed(newLines);
      look();
    });
    this.#selecting = new Selecting(terminal, host, look);
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

  /** True while the reader has scrolled up, holds the mouse button down or has text selected. */
  get isRead(): boolean {
    return this.#newLines.count !== null || this.#selecting.isOn;
  }

  /** Returns true once after eviction from the scrollback cleared a selection, unless the mouse was pressed since. */
  takeGoneSelection(): boolean {
    return this.#selecting.takeGone();
  }

  toEnd(): void {
    this.#terminal.clearSelection();
    this.#terminal.scrollToBottom();
    this.#look();
  }

  dispose(): void {
    this.#newLines.dispose();
    this.#selecting.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #look(): void {
    const { viewportY, baseY } = this.#terminal.buffer.active;
    this.#newLines.set(viewportY >= baseY ? null : (this.#newLines.count ?? 0));
  }
}
