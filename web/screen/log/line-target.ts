// The line or range of lines that a link points to: marked, and selectable by clicks on line numbers.
import { lineHref, type LineLink } from '../../state/page/line-link.ts';
import type { LogEntry, LogLines } from './log-lines.ts';

interface LineTargetOptions {
  readonly key: string;
  readonly lines: LogLines;
  /** Called when other lines are marked. */
  readonly changed: () => void;
  /** Called when several lines were selected, with the ids of the first and the last. */
  readonly selected: (from: number, to: number) => void;
}

export class LineTarget {
  readonly #options: LineTargetOptions;
  /** Target of the link until the log has scrolled there; null when there is none. */
  #wanted: Omit<LineLink, 'key'> | null = null;
  /** Offsets of the first and the last line, in bytes of all output. */
  #range: { readonly from: number; readonly to: number } | null = null;
  /** The line that was clicked without Shift. */
  #anchorId: number | null = null;

  constructor(options: LineTargetOptions) {
    this.#options = options;
  }

  listen(rows: HTMLElement): void {
    rows.addEventListener('click', (event) => this.#clicked(event));
  }

  has(entry: LogEntry | undefined): boolean {
    const range = this.#range;
    return range !== null && entry?.kind === 'line' && entry.offset >= range.from && entry.offset <= range.to;
  }

  goTo(link: Omit<LineLink, 'key'>): void {
    this.#wanted = link;
  }

  /** Returns the id of the line to scroll to, once it has been read; null when there is none. */
  reach(): number | null {
    const { lines, changed } = this.#options;
    const wanted = this.#wanted;
    if (!wanted || lines.endOffset <= wanted.offset) return null;
    this.#wanted = null;
    const id = lines.idAtOffset(wanted.offset) ?? lines.firstId;
    const from = this.#offsetOf(id) ?? wanted.offset;
    this.#range = { from, to: Math.max(from, wanted.endOffset ?? from) };
    this.#anchorId = id;
    changed();
    return id;
  }

  /**
   * A click on a line number puts its link into the address bar, to be copied there; with Shift, a link to all lines
   * from the anchor.
   */
  #clicked(event: MouseEvent): void {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.log-number[href]') : null;
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const id = Number(link.closest<HTMLElement>('.log-row')?.dataset['id']);
    if (!event.shiftKey || this.#anchorId === null) this.#anchorId = id;
    const ids = [this.#anchorId, id].toSorted((one, other) => one - other) as [number, number];
    const [from, to] = ids.map((each) => this.#offsetOf(each));
    // The anchor line may have been dropped since.
    if (from == null || to == null) return;
    this.#range = { from, to };
    const { key, selected, changed } = this.#options;
    history.replaceState(null, '', lineHref({ key, offset: from, ...(to > from && { endOffset: to }) }));
    if (event.shiftKey) selected(...ids);
    changed();
  }

  #offsetOf(id: number): number | null {
    const entry = this.#options.lines.at(id);
    return entry?.kind === 'line' ? entry.offset : null;
  }
}
