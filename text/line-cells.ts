// A line in which a program goes back, as a terminal has it: characters in cells, overwritten, moved and erased.
import { cellsOf, cellsWith, joins, NOTHING_BEFORE, stateAfter } from './characters.ts';

const TAB_CELLS = 8;
/** UTF-16 units that a cell holds; what a program adds to it is left out. */
const CELL_CHARS = 64;
/** Cells of one line that REP fills; a few bytes could make very much of it. */
const REPEATED_CELLS = 1024;
/** More cells than this are inserted sooner by pushing all that is behind them again. */
const MOST_SPLICED = 64;
/** The one edit mode that counts within a line. */
const INSERT_MODE = '4';

/** A text of one style. */
export interface Piece<Style> {
  readonly text: string;
  readonly style: Style;
}

/** Never changed: many columns may have the same one. */
interface Cell<Style> extends Piece<Style> {
  /** Pieces behind the character that have no cell of their own. */
  readonly behind: readonly Piece<Style>[] | null;
}

export class LineCells<Style> {
  readonly #most: number;
  readonly #isSeen: (style: Style) => boolean;
  /** Null is the rest of the character before it. A cell without a text was erased: at the end of the line it is none. */
  #cells: (Cell<Style> | null)[] = [];
  readonly #lead: Piece<Style>[] = [];
  #column = 0;
  /** The characters that the next one may join. */
  #state: number = NOTHING_BEFORE;
  #printed = '';
  #hasGoneBack = false;
  #isInserting = false;
  #saved: number | null = null;
  #repeatable = REPEATED_CELLS;

  /** `most`: columns that there are at most. `isSeen`: whether a blank of that style shows. */
  constructor(most: number, isSeen: (style: Style) => boolean) {
    this.#most = most;
    this.#isSeen = isSeen;
  }

  get column(): number {
    return this.#column;
  }

  put(text: string, style: Style): void {
    for (const character of text) {
      if (character === '\t') {
        this.#tab(style);
        continue;
      }
      const codePoint = character.codePointAt(0) ?? 0;
      const before = this.#state;
      const cells = cellsOf(codePoint);
      if (joins(before, codePoint) || cells === 0) this.#join(character, before, style);
      else this.#print(character, cells, style);
      this.#state = stateAfter(before, codePoint);
    }
  }

  /** Words that stand for a hidden character, and take as many cells as that. */
  putInstead(text: string, character: string, style: Style): void {
    const cells = cellsOf(character.codePointAt(0) ?? 0);
    this.#moved();
    if (cells > 0) this.#print(text, cells, style);
    else if (this.#column === 0) this.#lead.push({ text, style });
    else {
      this.#fill(style);
      const start = this.#startOf(this.#column - 1);
      const cell = this.#cells[start];
      if (cell) this.#cells[start] = { ...cell, behind: [...(cell.behind ?? []), { text, style }] };
    }
    this.#moved();
  }

  moveTo(column: number): void {
    if (column < this.#column) this.#hasGoneBack = true;
    this.#column = Math.max(0, Math.min(column, this.#most - 1));
    this.#moved();
  }

  /**
   * Applies a control sequence without prefix: CSI, these parameters, that letter. Its effects on other lines are
   * ignored.
   */
  edit(final: string, params: string, style: Style): void {
    const count = Number(/^\d*/.exec(params)?.[0]);
    const times = Math.min(Math.max(1, count), this.#most);
    switch (final) {
      case 'G':
      case '`':
        return this.moveTo(times - 1);
      case 'H':
      case 'f':
        return this.#moveBackTo(Math.max(1, Number(/^\d*;(\d*)/.exec(params)?.[1] ?? 1)) - 1);
      case 'C':
      case 'a':
        return this.moveTo(this.#column + times);
      case 'D':
        return this.moveTo(this.#column - times);
      case 'I':
        return this.moveTo(stopBefore(this.#column) + times * TAB_CELLS);
      case 'Z':
        return this.moveTo(stopBefore(this.#column - 1) - (times - 1) * TAB_CELLS);
      case 'J':
      case 'K':
        if (count !== 1) this.#cutOff(this.#column);
        if (count !== 0) this.#erase(0, this.#column + 1, style);
        break;
      case 'X':
        this.#erase(this.#column, this.#column + times, style);
        break;
      case 'P':
        this.#split(this.#column);
        this.#split(this.#column + times);
        this.#cells.splice(this.#column, times);
        break;
      case '@':
        this.#insert(times, style);
        break;
      case 'b':
        return this.#repeat(times, style);
      case 'h':
      case 'l':
        if (params.split(';').includes(INSERT_MODE)) this.#isInserting = final === 'h';
        break;
      case 's':
        return this.save();
      case 'u':
        return this.restore();
    }
    this.#moved();
  }

  /** Resets the line to its initial state; characters without a cell stay. */
  reset(): void {
    this.moveTo(0);
    this.#cutOff(0);
    this.#isInserting = false;
    this.#saved = null;
  }

  save(): void {
    this.#saved = this.#column;
  }

  /** Returns to the saved column; without one on this line it stays where it is. */
  restore(): void {
    if (this.#saved !== null) this.moveTo(this.#saved);
  }

  /** Cells in order, without erased ones at the end. */
  pieces(): Piece<Style>[] {
    const end = this.#cells.findLastIndex((cell) => cell !== null && (cell.text !== '' || cell.behind));
    return [
      ...this.#lead,
      ...this.#cells
        .slice(0, end + 1)
        .flatMap((cell) =>
          cell ? [{ text: cell.text || ' ', style: cell.style }, ...(cell.behind ?? [])] : [],
        ),
    ];
  }

  /** A place of the whole screen: one further right is mostly in another row, which a log does not have. */
  #moveBackTo(column: number): void {
    this.moveTo(Math.min(this.#column, column));
  }

  #repeat(times: number, style: Style): void {
    if (this.#printed === '') return;
    const count = Math.max(0, Math.min(times, this.#repeatable, this.#most - this.#column));
    this.#repeatable -= count;
    this.put(this.#printed.repeat(count), style);
  }

  /** Ends the cluster: the next character joins nothing. */
  #moved(): void {
    this.#state = NOTHING_BEFORE;
    this.#printed = '';
  }

  #print(character: string, cells: number, style: Style): void {
    this.#fill(style);
    if (this.#column < this.#cells.length) this.#hasGoneBack = true;
    if (this.#isInserting) this.#insert(cells, style);
    const isErasing = character === ' ' && this.#hasGoneBack && !this.#isSeen(style);
    this.#set({ text: isErasing ? '' : character, style, behind: null }, cells);
    this.#printed = character;
  }

  /** Adds a character to the cell before; without such a cell it is left out, as in a terminal. */
  #join(character: string, before: number, style: Style): void {
    if (this.#column === 0) return;
    this.#fill(style);
    const start = this.#startOf(this.#column - 1);
    const cell = this.#cells[start];
    if (!cell || cell.text === '\t' || cell.text.length >= CELL_CHARS) return;
    const cells = this.#column - start;
    this.#cells[start] = { ...cell, text: (cell.text || ' ') + character };
    this.#printed += character;
    const codePoint = character.codePointAt(0) ?? 0;
    if (!joins(before, codePoint) || cellsWith(cells, before, codePoint) <= cells) return;
    this.#split(this.#column + 1);
    this.#cells[this.#column] = null;
    this.#column += 1;
  }

  /** A tab is kept as one only at the end of the line: elsewhere it moves. */
  #tab(style: Style): void {
    const stop = this.#column < this.#most ? stopBefore(this.#column) + TAB_CELLS : this.#column + 1;
    if (this.#column < this.#cells.length) this.moveTo(stop);
    else {
      this.#fill(style);
      this.#set({ text: '\t', style, behind: null }, stop - this.#column);
      this.#moved();
    }
  }

  #set(cell: Cell<Style>, cells: number): void {
    this.#split(this.#column);
    this.#split(this.#column + cells);
    this.#cells[this.#column] = cell;
    for (let rest = 1; rest < cells; rest += 1) this.#cells[this.#column + rest] = null;
    this.#column += cells;
  }

  /** Fills with blanks up to the cursor, when that is beyond the end. */
  #fill(style: Style): void {
    const blank = erased(style);
    while (this.#cells.length < this.#column) this.#cells.push(blank);
  }

  #insert(count: number, style: Style): void {
    if (this.#column >= this.#cells.length) return;
    const most = Math.max(this.#most, this.#cells.length);
    this.#split(this.#column);
    // Blanks at the end are nothing, so that cells which are pushed out need no trace.
    if (this.#column + count >= most) return this.#cutOff(this.#column);
    const blank = erased(style);
    if (count <= MOST_SPLICED) {
      this.#cells.splice(this.#column, 0, ...Array.from({ length: count }, () => blank));
    } else {
      const behind = this.#cells.splice(this.#column);
      for (let at = 0; at < count; at += 1) this.#cells.push(blank);
      for (const cell of behind) this.#cells.push(cell);
    }
    this.#cutOff(most);
  }

  #cutOff(end: number): void {
    if (end >= this.#cells.length) return;
    this.#split(end);
    this.#cells.length = end;
  }

  #erase(from: number, to: number, style: Style): void {
    const end = Math.min(to, this.#cells.length);
    this.#split(from);
    this.#split(end);
    this.#cells.fill(erased(style), from, end);
  }

  /** A character that stands on both sides of that column is erased. */
  #split(column: number): void {
    if (this.#cells[column] !== null) return;
    let at = this.#startOf(column);
    const blank = erased((this.#cells[at] as Cell<Style>).style);
    do {
      this.#cells[at] = blank;
      at += 1;
    } while (this.#cells[at] === null);
  }

  #startOf(column: number): number {
    let start = column;
    while (this.#cells[start] === null) start -= 1;
    return start;
  }
}

const stopBefore = (column: number): number => Math.max(0, column - (column % TAB_CELLS));

const erased = <Style>(style: Style): Cell<Style> => ({ text: '', style, behind: null });
