// Scroll place of the reader of a log: the end, which is followed, or an entry that keeps its place whatever is added
// or dropped.
import type { LogLines } from './log-lines.ts';
import type { LogRows } from './log-rows.ts';

/** Above the first entry, also when earlier ones become known. */
export const START_PX = Number.NEGATIVE_INFINITY;

/** An entry, and the pixels from its top down to the upper edge of the view. */
interface Anchor {
  readonly id: number;
  readonly px: number;
}

/** The heights of the entries, one below the other. */
export interface LogLayout {
  readonly map: Pick<LogRows, 'firstId' | 'total' | 'offsetOf'>;
  readonly rowPx: number;
  /** Height of the note above the first entry. */
  readonly headPx: number;
}

export class ReadingPlace {
  #anchor: Anchor = { id: 0, px: 0 };
  /** Number of lines when the reader left the end; null while the end is followed. */
  #leftAtLine: number | null = null;
  /** Row of the anchor, as far as it is known, and bytes of all output before it. */
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

  /**
   * Keeps the place when ids of recorded lines have changed. Returns the byte of the line to go to where its row is not
   * known; null where there is nothing to do.
   */
  located(lines: Pick<LogLines, 'firstId' | 'idOfRow'>): number | null {
    if (this.#leftAtLine === null || this.#anchor.px === START_PX) return null;
    const id = this.#row === null ? null : lines.idOfRow(this.#row);
    if (id !== null) this.#anchor = { ...this.#anchor, id };
    return id === null && this.#anchor.id < lines.firstId ? this.#offset : null;
  }

  /** Id of the entry at the upper edge; null while the end is followed. */
  get anchorId(): number | null {
    return this.#leftAtLine === null ? null : this.#anchor.id;
  }

  /** Counts new lines from now on, after a change of the filter. */
  recount(lineCount: number): void {
    if (this.#leftAtLine !== null) this.#leftAtLine = lineCount;
  }

  /** Returns the number of lines added since the reader left the end; null while the end is followed. */
  newLines(lineCount: number): number | null {
    return this.#leftAtLine === null ? null : lineCount - this.#leftAtLine;
  }

  /** Returns the scroll position for a view of that height; 0 when the anchor was dropped, where a note reports it. */
  topPx({ map, rowPx, headPx }: LogLayout, height: number): number {
    const end = Math.max(0, headPx + map.total * rowPx - height);
    if (this.#leftAtLine === null) return end;
    const { id, px } = this.#anchor;
    const top = id < map.firstId ? 0 : headPx + map.offsetOf(id) * rowPx + px;
    return Math.max(0, Math.min(end, top));
  }
}
