// A line that is still being printed: text is appended or, after the cursor has moved back, overwrites earlier text.
import { LineCells } from '../../../text/line-cells.ts';
import type { TextStyle } from './text-style.ts';

/** A run of text in one style, up to the start of the next run. */
export interface Run {
  readonly start: number;
  readonly style: TextStyle;
}

export interface LineText {
  readonly text: string;
  readonly runs: readonly Run[];
}

export class OpenLine {
  readonly #mostColumns: number;
  #text = '';
  #runs: Run[] = [];
  /** Cells, only for lines with cursor movements, edits or hidden characters. */
  #cells: LineCells<TextStyle> | null = null;
  #isAtStart = true;
  #insteadLength = 0;

  /** `mostColumns` limits the length of a line after a cursor jump. */
  constructor(mostColumns: number) {
    this.#mostColumns = mostColumns;
  }

  /**
   * Current column; in a line without cursor moves, the number of characters. Escapes count with all their characters.
   */
  get used(): number {
    return (this.#cells?.column ?? (this.#isAtStart ? 0 : this.#text.length)) + this.#insteadLength;
  }

  put(text: string, style: TextStyle): void {
    if (this.#cells || (this.#isAtStart && this.#text !== '')) {
      this.#asCells().put(text, style);
      return;
    }
    append(this.#runs, this.#text.length, style);
    this.#text += text;
    this.#isAtStart = false;
  }

  /** Writes a visible escape in place of a hidden character. */
  putInstead(words: string, character: string, style: TextStyle): void {
    this.#insteadLength += words.length;
    this.#asCells().putInstead(words, character, style);
  }

  /** Moves the cursor to the start. Cells are not created yet, since a line feed usually follows a carriage return. */
  toStart(): void {
    this.#isAtStart = true;
    this.#cells?.moveTo(0);
  }

  back(): void {
    const cells = this.#asCells();
    cells.moveTo(cells.column - 1);
  }

  edit(final: string, params: string, style: TextStyle): void {
    this.#asCells().edit(final, params, style);
  }

  reset(): void {
    this.#asCells().reset();
  }

  save(): void {
    this.#asCells().save();
  }

  restore(): void {
    this.#asCells().restore();
  }

  read(): LineText {
    if (!this.#cells) return { text: this.#text, runs: this.#runs };
    const runs: Run[] = [];
    let text = '';
    for (const piece of this.#cells.pieces()) {
      append(runs, text.length, piece.style);
      text += piece.text;
    }
    return { text, runs };
  }

  #asCells(): LineCells<TextStyle> {
    if (this.#cells) return this.#cells;
    const cells = new LineCells<TextStyle>(this.#mostColumns, isSeen);
    for (const [index, { start, style }] of this.#runs.entries())
      cells.put(this.#text.slice(start, this.#runs[index + 1]?.start), style);
    if (this.#isAtStart) cells.moveTo(0);
    this.#cells = cells;
    return cells;
  }
}

function append(runs: Run[], start: number, style: TextStyle): void {
  if (runs.at(-1)?.style !== style) runs.push({ start, style });
}

/** True when a blank in this style is visible. */
const isSeen = ({ background, inverse, underline, strike }: TextStyle): boolean =>
  background !== null || inverse || underline || strike;
