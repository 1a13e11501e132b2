// A line that is still being printed: text goes to its end, or after a carriage return over what is there.
import type { TextStyle } from './text-style.ts';

/** Text of one style, up to where the next run starts. */
export interface Run {
  readonly start: number;
  readonly style: TextStyle;
}

/** The text of a line as it is at the moment. */
export interface LineText {
  readonly text: string;
  readonly runs: readonly Run[];
}

/** A cell that was erased: a blank between others, and nothing at the end of the line. */
const ERASED = '';

/** One character each: kept only for lines in which the program has gone back. */
interface Cells {
  readonly characters: string[];
  readonly styles: TextStyle[];
}

export class OpenLine {
  #text = '';
  #runs: Run[] = [];
  #cells: Cells | null = null;
  #length = 0;
  #column = 0;

  /** Where the next character goes. */
  get column(): number {
    return this.#column;
  }

  put(text: string, style: TextStyle): void {
    if (this.#cells === null && this.#column === this.#length) {
      if (this.#runs.at(-1)?.style !== style) this.#runs.push({ start: this.#text.length, style });
      this.#text += text;
      this.#length = this.#column = this.#text.length;
      return;
    }
    const { characters, styles } = this.#asCells();
    for (const character of text) {
      while (characters.length < this.#column) {
        characters.push(' ');
        styles.push(style);
      }
      // A blank over something rubs it out, unless it is one to be seen.
      const isErasing = character === ' ' && this.#column < characters.length && !isSeen(style);
      characters[this.#column] = isErasing ? ERASED : character;
      styles[this.#column] = style;
      this.#column += 1;
    }
    this.#length = characters.length;
  }

  /** A carriage return is mostly followed by the line feed, and then nothing has to be done for it. */
  toStart(): void {
    this.#column = 0;
  }

  /** `most` keeps a jump from making a line of any length. */
  moveTo(column: number, most: number): void {
    this.#asCells();
    this.#column = Math.max(0, Math.min(column, most));
  }

  moveBy(columns: number, most: number): void {
    this.#asCells();
    this.moveTo(this.#column + columns, most);
  }

  /** Erase in line: 0 to the end, 1 from the beginning, 2 all of it. */
  erase(which: number, style: TextStyle): void {
    if (this.#length === 0) return;
    const { characters, styles } = this.#asCells();
    if (which === 0 || which === 2)
      characters.length = styles.length = Math.min(characters.length, this.#column);
    if (which === 1 || which === 2) {
      const end = Math.min(characters.length, this.#column + 1);
      characters.fill(ERASED, 0, end);
      styles.fill(style, 0, end);
    }
    this.#length = characters.length;
  }

  /** Erases so many characters from the column on. */
  eraseCharacters(count: number, style: TextStyle): void {
    const { characters, styles } = this.#asCells();
    const end = Math.min(characters.length, this.#column + count);
    characters.fill(ERASED, this.#column, end);
    styles.fill(style, this.#column, end);
  }

  /** Takes so many characters out; what is behind them moves up. */
  deleteCharacters(count: number): void {
    const { characters, styles } = this.#asCells();
    characters.splice(this.#column, count);
    styles.splice(this.#column, count);
    this.#length = characters.length;
  }

  /** Makes room for so many characters; what is behind moves on. */
  insertCharacters(count: number, style: TextStyle): void {
    const { characters, styles } = this.#asCells();
    if (this.#column >= characters.length) return;
    characters.splice(this.#column, 0, ...Array.from({ length: count }, () => ERASED));
    styles.splice(this.#column, 0, ...Array.from({ length: count }, () => style));
    this.#length = characters.length;
  }

  read(): LineText {
    const cells = this.#cells;
    if (!cells) return { text: this.#text, runs: this.#runs };
    const end = cells.characters.findLastIndex((character) => character !== ERASED) + 1;
    const characters = cells.characters.slice(0, end).map((character) => character || ' ');
    const runs: Run[] = [];
    let start = 0;
    characters.forEach((character, at) => {
      const style = cells.styles[at];
      if (style && runs.at(-1)?.style !== style) runs.push({ start, style });
      start += character.length;
    });
    return { text: characters.join(''), runs };
  }

  #asCells(): Cells {
    if (this.#cells) return this.#cells;
    const characters: string[] = [];
    const styles: TextStyle[] = [];
    this.#runs.forEach(({ start, style }, index) => {
      for (const character of this.#text.slice(start, this.#runs[index + 1]?.start)) {
        characters.push(character);
        styles.push(style);
      }
    });
    // Of characters in two halves there are fewer than there is text.
    if (this.#column === this.#length) this.#column = characters.length;
    this.#cells = { characters, styles };
    this.#length = characters.length;
    return this.#cells;
  }
}

/** Whether a blank of that style shows. */
const isSeen = ({ background, inverse, underline, strike }: TextStyle): boolean =>
  background !== null || inverse || underline || strike;
