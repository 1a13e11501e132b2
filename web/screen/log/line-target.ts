// Line or range of lines that a link points to, marked in the log; a click on a line number marks that line instead.
import { lineHref, type LinePlaces } from '../../state/page/line-link.ts';
import type { LogEntry, LogLine } from './log-entry.ts';
import type { LogLines } from './log-lines.ts';

interface LineTargetOptions {
  readonly key: string;
  readonly lines: LogLines;
  /** Returns true while the recorded lines before those in memory are not counted yet. */
  readonly isCounting: () => boolean;
  /** Resolves to the row of the recorded line that contains the byte; null when there is none. */
  readonly rowAt: (offset: number) => Promise<number | null>;
  /** Called when the marked lines change, or the position of the line to go to becomes known. */
  readonly changed: () => void;
  /** Called with the ids of the first and last line after a Shift-click, which selects the lines. */
  readonly selected: (from: number, to: number) => void;
}

export class LineTarget {
  readonly #options: LineTargetOptions;
  /** Link target until the log has scrolled to it; null when there is none. */
  #wanted: LinePlaces | null = null;
  #range: LinePlaces | null = null;
  /** Row of a target that exists only in the recording. */
  #row: number | null = null;
  #isAsking = false;
  /** Id of the line last clicked without Shift, or last reached by a link; a Shift-click selects from here. */
  #anchorId: number | null = null;

  constructor(options: LineTargetOptions) {
    this.#options = options;
  }

  listen(rows: HTMLElement): void {
    rows.addEventListener('click', (event) => this.#clicked(event));
  }

  has(entry: LogEntry | undefined): boolean {
    const range = this.#range;
    if (!range || entry?.kind !== 'line') return false;
    if ('line' in range)
      return !entry.isAfterGap && entry.number >= range.line && entry.number <= (range.endLine ?? range.line);
    return entry.offset >= range.offset && entry.offset <= (range.endOffset ?? range.offset);
  }

  goTo(places: LinePlaces): void {
    this.#wanted = places;
    this.#row = null;
  }

  /** Marks the target once its line is known, and returns the id of the line to scroll to; otherwise null. */
  reach(): number | null {
    const wanted = this.#wanted;
    const id = wanted && this.#idOf(wanted);
    if (!wanted || id === null) return null;
    this.#wanted = null;
    this.#range = wanted;
    this.#anchorId = id;
    const offset = this.#lineAt(id)?.offset;
    if ('offset' in wanted && offset !== undefined && offset < wanted.offset)
      this.#range = { offset, endOffset: Math.max(offset, wanted.endOffset ?? offset) };
    this.#options.changed();
    return id;
  }

  #idOf(wanted: LinePlaces): number | null {
    const { lines, isCounting } = this.#options;
    if ('line' in wanted) {
      // A line's row is its number minus 1 as long as no gap precedes it.
      if (isCounting()) return null;
      const id = lines.idOfRow(Math.max(0, wanted.line - 1));
      return id ?? (lines.endOffset === Number.POSITIVE_INFINITY ? lines.endId - 1 : null);
    }
    if (lines.endOffset <= wanted.offset) return null;
    const isInMemory = (lines.oldestOffset ?? 0) <= wanted.offset;
    if (!isInMemory && isCounting()) return null;
    if (isInMemory || lines.pastRows === 0) return lines.idAtOffset(wanted.offset) ?? lines.firstId;
    if (this.#row !== null) return lines.idOfRow(this.#row);
    this.#ask(wanted.offset);
    return null;
  }

  #ask(offset: number): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { rowAt, changed } = this.#options;
    const answered = (row: number | null): void => {
      this.#isAsking = false;
      this.#row = row;
      if (row === null) this.#wanted = null;
      changed();
    };
    void rowAt(offset).then(answered, () => answered(null));
  }

  /**
   * A click on a line number marks the line and puts its link into the address bar, ready to copy; with Shift, both
   * apply to all lines between that line and the anchor.
   */
  #clicked(event: MouseEvent): void {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.log-number[href]') : null;
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const id = Number(link.closest<HTMLElement>('.log-row')?.dataset['id']);
    if (!event.shiftKey || this.#anchorId === null) this.#anchorId = id;
    const ids = [this.#anchorId, id].toSorted((one, other) => one - other) as [number, number];
    const [from, to] = ids.map((each) => this.#lineAt(each));
    // The anchor line may have been dropped in the meantime.
    if (!from || !to) return;
    this.#range = rangeOf(from, to);
    const { key, selected, changed } = this.#options;
    history.replaceState(null, '', lineHref({ key, ...this.#range }));
    if (event.shiftKey) selected(...ids);
    changed();
  }

  #lineAt(id: number): LogLine | null {
    const entry = this.#options.lines.at(id);
    return entry?.kind === 'line' ? entry : null;
  }
}

/** Returns the range as line numbers where these count the whole output, otherwise as byte offsets. */
export function rangeOf(from: LogLine, to: LogLine): LinePlaces {
  if (!from.isAfterGap && !to.isAfterGap)
    return { line: from.number, ...(to.number > from.number && { endLine: to.number }) };
  return { offset: from.offset, ...(to.offset > from.offset && { endOffset: to.offset }) };
}
