// The line, or the lines from one to another, that a link leads to: marked, and chosen by clicks on their numbers.
import { lineHref, type LineLink } from '../../state/page/line-link.ts';
import type { LogEntry, LogLines } from './log-lines.ts';

interface LineTargetOptions {
  readonly key: string;
  readonly lines: LogLines;
  /** Other lines are marked. */
  readonly changed: () => void;
  /** Several lines were chosen, by the ids of the first and the last. */
  readonly selected: (from: number, to: number) => void;
}

export class LineTarget {
  readonly #options: LineTargetOptions;
  /** Where a link leads, until it has been gone to. */
  #wanted: Omit<LineLink, 'key'> | null = null;
  /** Bytes of all output before the first line and before the last. */
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

  /** The line to bring into sight, once it is there; null when there is none. */
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

  /** A click on a number puts the link into the address, to be copied from there; with Shift a link to all lines up to there. */
  #clicked(event: MouseEvent): void {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.log-number[href]') : null;
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const id = Number(link.closest<HTMLElement>('.log-row')?.dataset['id']);
    if (!event.shiftKey || this.#anchorId === null) this.#anchorId = id;
    const ids = [this.#anchorId, id].toSorted((one, other) => one - other) as [number, number];
    const [from, to] = ids.map((each) => this.#offsetOf(each));
    // What was chosen first may have been dropped meanwhile.
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
