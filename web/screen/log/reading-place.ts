// Reading position in a log: either the followed end, or an entry that stays in place while others are added or
// dropped.
import type { LogLines } from './log-lines.ts';
import type { LogRows } from './log-rows.ts';

/** Position above the first entry, even when earlier entries become known. */
export const START_PX = Number.NEGATIVE_INFINITY;

/** An entry, and the distance in px from its top to the top of the view. */
interface Anchor {
  readonly id: number;
  readonly px: number;
}

export interface LogLayout {
  readonly map: Pick<LogRows, 'firstId' | 'total' | 'offsetOf'>;
  readonly rowPx: number;
  /** Height of the note above the first entry. */
  readonly headPx: number;
}

export class ReadingPlace {
  #anchor: Anchor = { id: 0, px: 0 };
  /** Line count when the reader left the end; null while the end is followed. */
  #leftAtLine: number | null = null;
  /** Row of the anchor, if known, and its byte offset over all streams. */
  #row: number | null = null;
  #offset = 0;

  follow(): void {
    this.#leftAtLine = null;
  }

  leave(anchor: Anchor, lines: Pick<LogLines, 'at' | 'rowOfId' | 'lineCount'>): void {
    this.#anchor = anchor;
    this.#leftAtLine ??= lines.lineCount;
    this.#row = lines.rowOfId(anchor.id);
    const entry = lines.at(anchor.id);
    if (entry?.kind === 'line') this.#offset = entry.offset;
  }

  /** Byte offset of the anchor while its row is unknown; null otherwise, and while the end is followed. */
  get offsetWithoutRow(): number | null {
    const isPlaced = this.#leftAtLine === null || this.#anchor.px === START_PX || this.#row !== null;
    return isPlaced ? null : this.#offset;
  }

  /** Sets the row of the anchor, unless the reader has since left the line at this offset. */
  foundRow(offset: number, row: number): void {
    if (this.offsetWithoutRow === offset) this.#row = row;
  }

  /**
   * Keeps the position when the ids of recorded lines change. Returns the byte offset to go to when the anchor is
   * neither in memory nor at a known row; null otherwise.
   */
  located(lines: Pick<LogLines, 'firstId' | 'idOfRow'>): number | null {
    if (this.#leftAtLine === null || this.#anchor.px === START_PX) return null;
    const id = this.#row === null ? null : lines.idOfRow(this.#row);
    if (id !== null) this.#anchor = { ...this.#anchor, id };
    return id === null && this.#anchor.id < lines.firstId ? this.#offset : null;
  }

  /** Id of the entry at the top of the view; null while the end is followed. */
  get anchorId(): number | null {
    return this.#leftAtLine === null ? null : this.#anchor.id;
  }

  /** Restarts the count of new lines after a filter change. */
  recount(lineCount: number): void {
    if (this.#leftAtLine !== null) this.#leftAtLine = lineCount;
  }

  /** Returns the number of lines added since the reader left the end; null while the end is followed. */
  newLines(lineCount: number): number | null {
    return this.#leftAtLine === null ? null : lineCount - this.#leftAtLine;
  }

  /**
   * Returns the position of the top of the view in the content, in px, for a view of this height; 0 when the anchor
   * was dropped, since a note at the top explains this.
   */
  topPx({ map, rowPx, headPx }: LogLayout, height: number): number {
    const end = Math.max(0, headPx + map.total * rowPx - height);
    if (this.#leftAtLine === null) return end;
    const { id, px } = this.#anchor;
    const top = id < map.firstId ? 0 : headPx + map.offsetOf(id) * rowPx + px;
    return Math.max(0, Math.min(end, top));
  }
}
