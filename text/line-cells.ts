// A line of terminal cells in which a program moves back, overwrites, inserts and erases.
import { cellsOf, cellsWith, joins, NOTHING_BEFORE, stateAfter } from './characters.ts';

const TAB_CELLS = 8;
/** Maximum number of UTF-16 units per cell; further ones are dropped. */
const CELL_CHARS = 64;
/** Maximum number of copies that REP prints per line, since a few bytes could request a huge number. */
const REPEATED_CELLS = 1024;
/** Number of inserted cells up to which splicing is faster than rewriting the rest of the line. */
const MOST_SPLICED = 64;
/** Insert mode (IRM), the only edit mode that has an effect within a line. */
const INSERT_MODE = '4';

export interface Piece<Style> {
  readonly text: string;
  readonly style: Style;
}

/** Immutable: several columns may share a cell. */
interface Cell<Style> extends Piece<Style> {
  /** Pieces without a cell that follow the character. */
  readonly behind: readonly Piece<Style>[] | null;
}

export class LineCells<Style> {
  readonly #most: number;
  readonly #isSeen: (style: Style) => boolean;
  /**
   * Null: a further cell of a wide character or a tab. A cell without text was erased, and is dropped at the
   * end of the line.
   */
  #cells: (Cell<Style> | null)[] = [];
  readonly #lead: Piece<Style>[] = [];
  #column = 0;
  /** State after the last character, which decides whether the next one joins it. */
  #state: number = NOTHING_BEFORE;
  #printed = '';
  #hasGoneBack = false;
  #isInserting = false;
  #saved: number | null = null;
  #repeatable = REPEATED_CELLS;

  /** `most`: column limit of movements, insertions and REP. `isSeen`: whether a blank in that style is visible. */
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

  /** Writes text in place of a hidden character, with that character's width. */
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
   * Applies a control sequence without a prefix: CSI, `params`, `final`. Effects on other lines are ignored.
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

  /** Clears the line, the insert mode and the saved column; pieces before the first cell remain. */
  reset(): void {
    this.moveTo(0);
    this.#cutOff(0);
    this.#isInserting = false;
    this.#saved = null;
  }

  save(): void {
    this.#saved = this.#column;
  }

  /** Returns to the saved column; does nothing if none was saved on this line. */
  restore(): void {
    if (this.#saved !== null) this.moveTo(this.#saved);
  }

  /** Returns the texts of the line in order, each with its style, without erased cells at the end. */
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

  /**
   * Moves to an absolute column, but only backwards: further right usually means another row, which a log
   * does not have.
   */
  #moveBackTo(column: number): void {
    this.moveTo(Math.min(this.#column, column));
  }

  #repeat(times: number, style: Style): void {
    if (this.#printed === '') return;
    const count = Math.max(0, Math.min(times, this.#repeatable, this.#most - this.#column));
    this.#repeatable -= count;
    this.put(this.#printed.repeat(count), style);
  }

  /** Ends the cluster, so that the next character joins nothing and REP repeats nothing. */
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

  /** Adds a character to the preceding cell; in the first column it is dropped, as in a terminal. */
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

  /** Adds a tab as a character at the end of the line; elsewhere, a tab only moves the cursor. */
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

  /** Fills the line with blanks up to the cursor if the cursor is beyond the end. */
  #fill(style: Style): void {
    const blank = erased(style);
    while (this.#cells.length < this.#column) this.#cells.push(blank);
  }

  #insert(count: number, style: Style): void {
    if (this.#column >= this.#cells.length) return;
    const most = Math.max(this.#most, this.#cells.length);
    this.#split(this.#column);
    // Blanks at the end are dropped, so cells pushed out leave no trace.
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

  /** Erases a wide character or tab that spans the boundary before this column. */
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
