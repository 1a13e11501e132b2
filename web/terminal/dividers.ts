// What the page has to say between two lines of output: drawn over the terminal, never written into it.
import type { IDisposable, IMarker, Terminal } from '@xterm/xterm';
import type { TerminalWriter } from './terminal-writer.ts';

/** The oldest gives way. */
const MOST_DIVIDERS = 200;

export class Dividers {
  readonly #terminal: Terminal;
  readonly #writer: Pick<TerminalWriter, 'inTurn'>;
  /** What stands above all lines; there is one. */
  #top: IMarker | null = null;
  #shown: { readonly marker: IMarker; readonly decoration: IDisposable }[] = [];

  constructor(terminal: Terminal, writer: Pick<TerminalWriter, 'inTurn'>) {
    this.#terminal = terminal;
    this.#writer = writer;
  }

  /** Between what has been written so far and what comes; nothing over a full-screen program. */
  add(text: string): void {
    this.#writer.inTurn(() => {
      const { active } = this.#terminal.buffer;
      // In the middle of a line, the line belongs to what was before.
      if (active.type === 'normal') this.#draw(text, 0, active.cursorX === 0 ? 'above' : 'below');
    });
  }

  /** Above all lines that there are, in place of what stood there. */
  addOnTop(text: string): void {
    this.#writer.inTurn(() => {
      const { normal } = this.#terminal.buffer;
      this.#top?.dispose();
      this.#top = this.#draw(text, -(normal.baseY + normal.cursorY), 'above');
    });
  }

  #draw(text: string, offset: number, side: 'above' | 'below'): IMarker | null {
    const marker = this.#terminal.registerMarker(offset);
    // Where it would be is no line any more.
    if (!marker) return null;
    const decoration = this.#terminal.registerDecoration({ marker, layer: 'top' });
    if (!decoration) return null;
    decoration.onRender((element) => {
      element.className = `xterm-decoration page-divider ${side}`;
      element.dataset['text'] = text;
    });
    this.#shown.push({ marker, decoration });
    this.#shown = this.#shown.filter((each) => !each.marker.isDisposed);
    if (this.#shown.length > MOST_DIVIDERS) this.#shown.shift()?.decoration.dispose();
    return marker;
  }
}
