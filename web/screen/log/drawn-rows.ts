// Log entries present in the document: those in or near the view, and those where a selection begins or ends.
import type { LogLines } from './log-lines.ts';
import { drawPending, drawRow, type RowLook } from './log-row.ts';
import type { LogSelection } from './log-selection.ts';

/** Version number of a recorded line that is not read yet. */
const PENDING = -1;

interface DrawnRow {
  readonly element: HTMLElement;
  readonly version: number;
  readonly look: number;
}

interface DrawnRowsOptions {
  readonly element: HTMLElement;
  readonly lines: LogLines;
  readonly selection: LogSelection;
  readonly lookOf: (id: number) => RowLook;
}

export class DrawnRows {
  readonly #options: DrawnRowsOptions;
  readonly #drawn = new Map<number, DrawnRow>();
  /** Number that increases when all rows have to be redrawn. */
  #look = 0;

  constructor(options: DrawnRowsOptions) {
    this.#options = options;
  }

  /** Makes the next `draw` redraw all rows. */
  restyle(): void {
    this.#look += 1;
  }

  /** Draws the entries from `first` to `last`. Returns the new and changed rows, except placeholders. */
  draw(first: number, last: number): ReadonlyMap<number, HTMLElement> {
    const fresh = new Map<number, HTMLElement>();
    this.#options.selection.keep(() => this.#draw(first, last, fresh));
    return fresh;
  }

  place(topOf: (id: number) => number): void {
    for (const [id, { element }] of this.#drawn) element.style.top = `${topOf(id)}px`;
  }

  #draw(first: number, last: number, fresh: Map<number, HTMLElement>): void {
    const { element: parent, lines, selection } = this.#options;
    const pinned = selection.pinned.filter((id) => lines.at(id));
    for (const [id, { element }] of this.#drawn) {
      const entry = lines.at(id);
      const isDrawn = (id >= first && id <= last) || pinned.includes(id);
      if (isDrawn && (entry ? lines.isShown(entry) : id < lines.firstId)) continue;
      element.remove();
      this.#drawn.delete(id);
    }
    const ids = pinned.filter((id) => id < first || id > last);
    for (let id = first; id <= last; id += 1) {
      const entry = lines.at(id);
      if (entry ? lines.isShown(entry) : id < lines.firstId) ids.push(id);
    }
    let before: Element | null = null;
    for (const id of new Set(ids.toSorted((one, other) => one - other))) {
      const element = this.#rowOf(id, fresh);
      if (!element) continue;
      const place: Element | null = before ? before.nextElementSibling : parent.firstElementChild;
      if (place !== element) parent.insertBefore(element, place);
      before = element;
    }
  }

  #rowOf(id: number, fresh: Map<number, HTMLElement>): HTMLElement | null {
    const entry = this.#options.lines.at(id);
    const version = entry?.version ?? PENDING;
    const there = this.#drawn.get(id);
    if (there?.version === version && there.look === this.#look) return there.element;
    const element = entry ? drawRow(entry, id, this.#options.lookOf(id)) : drawPending(id);
    there?.element.replaceWith(element);
    this.#drawn.set(id, { element, version, look: this.#look });
    if (entry) fresh.set(id, element);
    return element;
  }
}
