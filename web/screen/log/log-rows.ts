// Heights of all entries of a log, including the recorded lines above, whose ids are lower than those in memory.
import type { Grid } from './log-grid.ts';
import { rowsOf } from './log-grid.ts';
import type { LogLines } from './log-lines.ts';
import { PastRows } from './past-rows.ts';
import { RowMap } from './row-map.ts';

export class LogRows {
  readonly #past = new PastRows();
  #live = new RowMap(0);
  #openIds: readonly number[] = [];

  get firstId(): number {
    return this.#live.firstId - this.#past.count;
  }

  get endId(): number {
    return this.#live.endId;
  }

  get total(): number {
    return this.#past.total + this.#live.total;
  }

  /** Discards all heights after a change of the grid or the shown lines. */
  restart(firstId: number): void {
    this.#live = new RowMap(firstId);
    this.#past.forget();
  }

  /** Applies changes to the lines: open, new and dropped ones. */
  sync(lines: LogLines, grid: Grid): void {
    if (lines.firstId > this.#live.endId || lines.firstId < this.#live.firstId)
      this.#live = new RowMap(lines.firstId);
    this.#live.dropTo(lines.firstId);
    this.#past.count = lines.pastRows;
    for (const id of this.#openIds) {
      const entry = lines.at(id);
      if (entry) this.#live.set(id, lines.isShown(entry) ? rowsOf(entry, grid) : 0);
    }
    for (let id = this.#live.endId; id < lines.endId; id += 1) {
      const entry = lines.at(id);
      this.#live.append(entry && lines.isShown(entry) ? rowsOf(entry, grid) : 0);
    }
    this.#openIds = lines.openIds;
  }

  set(id: number, rows: number): void {
    if (id < this.#live.firstId) this.#past.set(id - this.firstId, rows);
    else this.#live.set(id, rows);
  }

  offsetOf(id: number): number {
    if (id < this.#live.firstId) return this.#past.offsetOf(id - this.firstId);
    return this.#past.total + this.#live.offsetOf(id);
  }

  idAt(row: number): number {
    const { total, count } = this.#past;
    return row < total && count > 0 ? this.firstId + this.#past.lineAt(row) : this.#live.idAt(row - total);
  }
}
