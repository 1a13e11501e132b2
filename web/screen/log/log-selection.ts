// Selection in a log that has only some of its lines in the document; copied text is the program's output.
import { isRestOf } from './log-entry.ts';
import type { LogLines } from './log-lines.ts';
import { nodeAt, placeOf, type Place } from './log-place.ts';

interface Span {
  readonly from: Place;
  readonly to: Place;
}

export class LogSelection {
  readonly #rows: HTMLElement;
  readonly #lines: LogLines;
  readonly #changed: () => void;
  #span: Span | null = null;
  #isAll = false;
  /** Ids of the lines selected by number; they need not be in the document. */
  #chosen: { readonly from: number; readonly to: number } | null = null;
  #reportedEmpty = true;
  readonly #look = (): void => this.#report();
  readonly #copy = (event: ClipboardEvent): void => this.#copied(event);

  /**
   * `rows` contains the drawn lines, each with its id. `changed` is called when the selection becomes empty or
   * non-empty.
   */
  constructor(rows: HTMLElement, lines: LogLines, changed: () => void) {
    this.#rows = rows;
    this.#lines = lines;
    this.#changed = changed;
    document.addEventListener('selectionchange', this.#look);
    // The listener is on the document, because a selection that was dragged out of the log can be copied, too.
    document.addEventListener('copy', this.#copy);
    rows.addEventListener('mousedown', (event) => {
      // Shift+click on a number must not extend the browser's selection.
      if (event.shiftKey && isNumber(event.target)) event.preventDefault();
      else this.#selectAll(false);
    });
  }

  get isEmpty(): boolean {
    // Read the selection now: a key pressed right after selecting arrives before `selectionchange`.
    this.#read();
    return !this.#isAll && this.#span === null && this.#chosen === null;
  }

  /** Ids of the lines that must stay in the document because the selection starts or ends in them. */
  get pinned(): readonly number[] {
    return this.#span && !this.#isAll ? [this.#span.from.id, this.#span.to.id] : [];
  }

  selectAll(): void {
    this.#selectAll(true);
    // The browser copies nothing unless something is selected.
    document.getSelection()?.selectAllChildren(this.#rows);
  }

  /** Selects the whole lines from one id to another, both included. */
  selectLines(from: number, to: number): void {
    this.clear();
    this.#chosen = { from, to };
    this.#report();
  }

  clear(): void {
    this.#selectAll(false);
    if (this.#span) document.getSelection()?.removeAllRanges();
  }

  /**
   * Returns the selected text of lines in memory, without line numbers, times and trailing blanks; broken lines are
   * rejoined.
   */
  text(): string {
    this.#read();
    if (this.isEmpty) return '';
    const { firstId, endId } = this.#lines;
    const chosen = this.#chosen && {
      from: { id: this.#chosen.from, at: 0 },
      to: { id: this.#chosen.to, at: Number.POSITIVE_INFINITY },
    };
    const all = { from: { id: firstId, at: 0 }, to: { id: endId, at: 0 } };
    const { from, to } = this.#isAll ? all : (this.#span ?? chosen ?? all);
    const texts: string[] = [];
    for (let id = Math.max(from.id, firstId); id <= to.id && id < endId; id += 1) {
      const entry = this.#lines.at(id);
      if (entry?.kind !== 'line' || !this.#lines.isShown(entry)) continue;
      const text = entry.text.slice(id === from.id ? from.at : 0, id === to.id ? to.at : undefined);
      if (isRestOf(this.#lines.at(id - 1), entry) && texts.length > 0) texts[texts.length - 1] += text;
      else texts.push(text);
    }
    return texts.map((text) => text.trimEnd()).join('\n');
  }

  /** Preserves the selection while `draw` replaces rows. */
  keep(draw: () => void): void {
    this.#read();
    const selection = document.getSelection();
    if (!selection || !this.#span || this.#isAll) {
      draw();
      return;
    }
    const anchor = this.#endOf(selection.anchorNode, selection.anchorOffset);
    const focus = this.#endOf(selection.focusNode, selection.focusOffset);
    draw();
    const isSame =
      selection.anchorNode === anchor.node &&
      selection.focusNode === focus.node &&
      selection.anchorOffset === anchor.offset &&
      selection.focusOffset === focus.offset;
    if (isSame) return;
    const [from, to] = [this.#nodeOf(anchor), this.#nodeOf(focus)];
    if (from && to) selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
  }

  dispose(): void {
    document.removeEventListener('selectionchange', this.#look);
    document.removeEventListener('copy', this.#copy);
  }

  #report(): void {
    const { isEmpty } = this;
    if (isEmpty === this.#reportedEmpty) return;
    this.#reportedEmpty = isEmpty;
    this.#changed();
  }

  #selectAll(isAll: boolean): void {
    this.#chosen = null;
    this.#isAll = isAll;
    this.#rows.classList.toggle('all-selected', isAll);
  }

  #endOf(node: Node | null, offset: number) {
    return { node, offset, place: node && this.#rows.contains(node) ? placeOf(node, offset) : null };
  }

  #nodeOf({ node, offset, place }: { node: Node | null; offset: number; place: Place | null }) {
    return (place && nodeAt(this.#rows, place)) ?? (node?.isConnected ? { node, offset } : null);
  }

  /** Reads the browser's selection if it started in this log; only the part inside the log counts. */
  #read(): void {
    const selection = document.getSelection();
    const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
    const isHere = this.#rows.contains(selection?.anchorNode ?? null);
    if (this.#isAll && !isHere) this.#selectAll(false);
    if (!range || range.collapsed || !isHere) {
      this.#span = null;
      return;
    }
    const { startContainer, startOffset, endContainer, endOffset } = range;
    const from = this.#rows.contains(startContainer)
      ? placeOf(startContainer, startOffset)
      : placeOf(this.#rows, 0);
    const to = this.#rows.contains(endContainer)
      ? placeOf(endContainer, endOffset)
      : placeOf(this.#rows, this.#rows.childNodes.length);
    if (from && to) this.#span = { from, to };
  }

  #copied(event: ClipboardEvent): void {
    const isElsewhere =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (isElsewhere || this.isEmpty) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', this.text());
  }
}

const isNumber = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a.log-number') !== null;
