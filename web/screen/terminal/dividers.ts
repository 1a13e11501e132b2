// Page markers between two lines of output, drawn over the terminal and never written into it.
import type { IBuffer, IBufferCell, IDecoration, IMarker, Terminal } from '@xterm/xterm';
import type { TerminalWriter } from './terminal-output.ts';

/** Maximum number of markers; the oldest is removed first. */
const MOST_DIVIDERS = 200;

/** Approximate width of a letter in a marker, and the padding around its text. */
const LETTER_PX = 6;
const AROUND_PX = 32;
/** Minimum space, in cells, in which text is shown. */
const LEAST_CELLS = 6;

/** Maximum number of texts in one place, since a silent process may get many markers. */
const MOST_TEXTS = 4;

type Side = 'above' | 'below';

interface Divider {
  readonly marker: IMarker;
  readonly decoration: IDecoration;
  readonly side: Side;
  texts: readonly string[];
}

export class Dividers {
  readonly #terminal: Terminal;
  readonly #writer: Pick<TerminalWriter, 'inTurn'>;
  /** The marker above all lines. */
  #top: IMarker | null = null;
  #shown: Divider[] = [];

  constructor(terminal: Terminal, writer: Pick<TerminalWriter, 'inTurn'>) {
    this.#terminal = terminal;
    this.#writer = writer;
  }

  /** Adds a marker between past and future output; does nothing over a full-screen program. */
  add(text: string): void {
    this.#writer.inTurn(() => {
      const { active } = this.#terminal.buffer;
      if (active.type !== 'normal') return;
      // A marker added in the middle of a line goes below that line.
      const side = active.cursorX === 0 ? 'above' : 'below';
      const line = active.baseY + active.cursorY;
      // Markers in the same place are merged, since they would overlap.
      const there = this.#shown.find(
        ({ marker, side: at }) => marker !== this.#top && at === side && marker.line === line,
      );
      if (there) setText(there, text);
      else this.#draw(text, 0, side);
    });
  }

  /** Adds a marker above all lines, replacing the previous one. */
  addOnTop(text: string): void {
    this.#writer.inTurn(() => {
      const { normal } = this.#terminal.buffer;
      this.#top?.dispose();
      this.#top = this.#draw(text, -(normal.baseY + normal.cursorY), 'above');
    });
  }

  #draw(text: string, offset: number, side: Side): IMarker | null {
    const marker = this.#terminal.registerMarker(offset);
    // xterm.js documents that it may return no marker.
    if (!marker) return null;
    const decoration = this.#terminal.registerDecoration({ marker, layer: 'top' });
    if (!decoration) return null;
    const divider: Divider = { marker, decoration, side, texts: [text] };
    decoration.onRender((element) => {
      element.className = `xterm-decoration page-divider ${side}`;
      element.dataset['text'] = inOne(divider);
      this.#placeWords(element, divider);
    });
    this.#shown.push(divider);
    this.#shown = this.#shown.filter((each) => !each.marker.isDisposed);
    if (this.#shown.length > MOST_DIVIDERS) this.#shown.shift()?.decoration.dispose();
    return marker;
  }

  /**
   * Places the text after the output in the marker's row, or in the row on the other side of the marker, so that the
   * text covers no output; hides the text when neither row has room.
   */
  #placeWords(element: HTMLElement, { marker, side, texts }: Divider): void {
    const { buffer, cols, rows, dimensions } = this.#terminal;
    const cellPx = dimensions?.css.cell.width ?? LETTER_PX;
    const wanted = Math.ceil((texts.join(' · ').length * LETTER_PX + AROUND_PX) / cellPx);
    const seenCols = this.#seenCols(cellPx);
    const { viewportY } = buffer.normal;
    const other = marker.line + (side === 'below' ? 1 : -1);
    const isOtherSeen = other >= viewportY && other < viewportY + rows;
    // One extra cell keeps the cursor visible.
    const own = seenCols - usedCells(buffer.normal, marker.line) - 1;
    const beyond = isOtherSeen ? seenCols - usedCells(buffer.normal, other) : 0;
    const isOwn = own >= Math.min(wanted, beyond);
    const free = Math.max(0, isOwn ? own : beyond);
    element.dataset['words'] = free < LEAST_CELLS ? 'none' : isOwn ? 'own' : 'other';
    element.style.setProperty('--unseen', `${((cols - seenCols) / cols) * 100}%`);
    element.style.setProperty('--free', `${(free / cols) * 100}%`);
  }

  /** Returns the number of visible columns: a terminal may be wider than a phone. */
  #seenCols(cellPx: number): number {
    const { cols, element } = this.#terminal;
    const { clientWidth = 0, scrollLeft = 0 } = element?.parentElement ?? {};
    return clientWidth === 0 ? cols : Math.min(cols, Math.floor((scrollLeft + clientWidth) / cellPx));
  }
}

/** Returns the number of cells up to the last visible one in a row. */
function usedCells(buffer: IBuffer, row: number): number {
  const line = buffer.getLine(row);
  let used = line?.length ?? 0;
  let cell: IBufferCell | undefined;
  for (; used > 0; used -= 1) {
    cell = line?.getCell(used - 1, cell);
    if (cell && (cell.getWidth() === 0 || cell.getChars().trim() !== '')) break;
  }
  return used;
}

function setText(divider: Divider, text: string): void {
  divider.texts = [...divider.texts.filter((each) => each !== text), text].slice(-MOST_TEXTS);
  // A marker outside the view has no element yet; its text is set when the element is created.
  if (divider.decoration.element) divider.decoration.element.dataset['text'] = inOne(divider);
}

const inOne = ({ texts }: Divider): string => texts.join(' · ');
