// A line in which the program has gone back, as a terminal would show it: overwritten, erased, without what was rubbed out.

/* oxlint-disable no-control-regex -- these are control sequences */
const EDITED = /[\r\u0008]|\u001b\[[\d;]*[@CDGJKPX`]/;
/** An edit, another sequence, or text. */
const PIECE =
  /\u001b\[(\d*)[\d;]*([@CDGJKPX`])|([\r\u0008])|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|([^\u001b\r\u0008]+)/gu;
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;
/* oxlint-enable no-control-regex */
/** A jump further right makes no longer line. */
const LAST_COLUMN = 8191;

/** Null for a line in which nothing goes back. */
export function overtyped(line: string): string | null {
  if (!EDITED.test(line)) return null;
  const cells = new Cells();
  for (const [, count = '', edit, back, text] of line.matchAll(PIECE)) {
    if (text !== undefined) cells.put(text.replaceAll(CONTROLS, ''));
    else if (back === '\r') cells.moveTo(0);
    else if (back !== undefined) cells.moveTo(cells.column - 1);
    else if (edit !== undefined) cells.edit(edit, Number(count));
  }
  return cells.text();
}

class Cells {
  /** A character each; empty where it was erased. */
  readonly #cells: string[] = [];
  column = 0;

  put(text: string): void {
    for (const character of text) {
      while (this.#cells.length < this.column) this.#cells.push(' ');
      const isErasing = character === ' ' && this.column < this.#cells.length;
      this.#cells[this.column] = isErasing ? '' : character;
      this.column += 1;
    }
  }

  moveTo(column: number): void {
    this.column = Math.max(0, Math.min(column, LAST_COLUMN));
  }

  edit(final: string, count: number): void {
    const times = Math.max(1, count);
    switch (final) {
      case 'G':
      case '`':
        return this.moveTo(times - 1);
      case 'C':
        return this.moveTo(this.column + times);
      case 'D':
        return this.moveTo(this.column - times);
      case 'J':
      case 'K':
        if (count !== 1) this.#cells.length = Math.min(this.#cells.length, this.column);
        if (count !== 0) this.#erase(0, this.column + 1);
        return;
      case 'X':
        return this.#erase(this.column, this.column + times);
      case 'P':
        this.#cells.splice(this.column, times);
        return;
      case '@':
        if (this.column < this.#cells.length)
          this.#cells.splice(
            this.column,
            0,
            ...Array.from({ length: Math.min(times, LAST_COLUMN) }, () => ''),
          );
    }
  }

  text(): string {
    const end = this.#cells.findLastIndex((cell) => cell !== '') + 1;
    return this.#cells
      .slice(0, end)
      .map((cell) => cell || ' ')
      .join('');
  }

  #erase(from: number, to: number): void {
    this.#cells.fill('', from, Math.min(to, this.#cells.length));
  }
}
