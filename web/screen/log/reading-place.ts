// Scroll place of the reader of a log: the end, which is followed, or an entry that keeps its place whatever is added
// or dropped.
import type { LogRows } from './log-rows.ts';

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

  follow(): void {
    this.#leftAtLine = null;
  }

  leave(anchor: Anchor, lineCount: number): void {
    this.#anchor = anchor;
    this.#leftAtLine ??= lineCount;
  }

  /** Id of the entry at the upper edge; null while the end is followed. */
  get anchorId(): number | null {
    return this.#leftAtLine === null ? null : this.#anchor.id;
  }

  /** Takes over another id of the same entry. */
  renumber(id: number): void {
    this.#anchor = { ...this.#anchor, id };
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
