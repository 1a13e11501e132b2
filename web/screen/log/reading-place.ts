// Where the reader of a log is: at the end, which it then follows, or at an entry that keeps its place whatever comes and goes.
import type { RowMap } from './row-map.ts';

/** An entry, and how far it is above the edge. */
interface Anchor {
  readonly id: number;
  readonly px: number;
}

/** The entries as they lie below each other. */
export interface LogLayout {
  readonly map: RowMap;
  readonly rowPx: number;
  /** What stands above the first of them. */
  readonly headPx: number;
}

export class ReadingPlace {
  #anchor: Anchor = { id: 0, px: 0 };
  /** How many lines there were when the end was left; null while it is followed. */
  #leftAtLine: number | null = null;

  follow(): void {
    this.#leftAtLine = null;
  }

  leave(anchor: Anchor, lineCount: number): void {
    this.#anchor = anchor;
    this.#leftAtLine ??= lineCount;
  }

  /** Other lines are counted from now on. */
  recount(lineCount: number): void {
    if (this.#leftAtLine !== null) this.#leftAtLine = lineCount;
  }

  /** Lines that have come since the end was left; null while it is followed. */
  newLines(lineCount: number): number | null {
    return this.#leftAtLine === null ? null : lineCount - this.#leftAtLine;
  }

  /** What is scrolled away above a view of that height. When what was read is not kept, that is said at the top. */
  topPx({ map, rowPx, headPx }: LogLayout, height: number): number {
    const end = Math.max(0, headPx + map.total * rowPx - height);
    if (this.#leftAtLine === null) return end;
    const { id, px } = this.#anchor;
    const top = id < map.firstId ? 0 : headPx + map.offsetOf(id) * rowPx + px;
    return Math.max(0, Math.min(end, top));
  }
}
