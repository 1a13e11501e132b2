// What is selected in a log, though only the lines in sight are in the document; copied, it is what the program printed.
import { isRestOf, type LogLines } from './log-lines.ts';

interface Place {
  readonly id: number;
  /** Characters of the line before it. */
  readonly at: number;
}

interface Span {
  readonly from: Place;
  readonly to: Place;
}

export class LogSelection {
  readonly #rows: HTMLElement;
  readonly #lines: LogLines;
  #span: Span | null = null;
  #isAll = false;
  readonly #look = (): void => this.#read();

  /** `rows`: the element that the lines in sight are in, each with its id. */
  constructor(rows: HTMLElement, lines: LogLines) {
    this.#rows = rows;
    this.#lines = lines;
    document.addEventListener('selectionchange', this.#look);
    rows.addEventListener('pointerdown', () => this.#selectAll(false));
  }

  get isEmpty(): boolean {
    // A browser tells of a selection later than of the key that is pressed right after it.
    this.#read();
    return !this.#isAll && this.#span === null;
  }

  /** Lines that must stay in the document, since the selection begins or ends there. */
  get pinned(): readonly number[] {
    return this.#span && !this.#isAll ? [this.#span.from.id, this.#span.to.id] : [];
  }

  selectAll(): void {
    this.#selectAll(true);
    // A browser copies nothing unless something is selected.
    document.getSelection()?.selectAllChildren(this.#rows);
  }

  clear(): void {
    this.#selectAll(false);
    if (this.#span) document.getSelection()?.removeAllRanges();
  }

  /** Without line numbers and times, without blanks at the ends, lines that were broken for their length joined again. */
  text(): string {
    this.#read();
    if (!this.#isAll && !this.#span) return '';
    const { firstId, endId } = this.#lines;
    const from = this.#isAll || !this.#span ? { id: firstId, at: 0 } : this.#span.from;
    const to = this.#isAll || !this.#span ? { id: endId, at: 0 } : this.#span.to;
    const texts: string[] = [];
    for (let id = Math.max(from.id, firstId); id <= to.id && id < endId; id += 1) {
      const entry = this.#lines.at(id);
      if (entry?.kind !== 'line') continue;
      const text = entry.text.slice(id === from.id ? from.at : 0, id === to.id ? to.at : undefined);
      if (isRestOf(this.#lines.at(id - 1), entry) && texts.length > 0) texts[texts.length - 1] += text;
      else texts.push(text);
    }
    return texts.map((text) => text.trimEnd()).join('\n');
  }

  dispose(): void {
    document.removeEventListener('selectionchange', this.#look);
  }

  #selectAll(isAll: boolean): void {
    this.#isAll = isAll;
    this.#rows.classList.toggle('all-selected', isAll);
  }

  #read(): void {
    const selection = document.getSelection();
    const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
    if (!range || range.collapsed || !this.#rows.contains(range.commonAncestorContainer)) {
      this.#span = null;
      return;
    }
    const from = placeOf(range.startContainer, range.startOffset);
    const to = placeOf(range.endContainer, range.endOffset);
    if (from && to) this.#span = { from, to };
  }
}

function placeOf(node: Node, offset: number): Place | null {
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest<HTMLElement>('.log-row') ?? rowAt(element, offset);
  const text = row?.querySelector('.log-text');
  if (!row || !text) return row ? { id: Number(row.dataset['id']), at: 0 } : null;
  const id = Number(row.dataset['id']);
  if (!text.contains(node)) {
    // Beside the text: before it, or at the end of the row.
    const isAfter = row.contains(node) && element === row && offset > 1;
    return { id, at: isAfter ? (text.textContent?.length ?? 0) : 0 };
  }
  const before = document.createRange();
  before.setStart(text, 0);
  before.setEnd(node, offset);
  return { id, at: before.toString().length };
}

const rowAt = (element: Element | null, offset: number): HTMLElement | null =>
  (
    element?.children[Math.min(offset, element.children.length - 1)] as HTMLElement | undefined
  )?.closest<HTMLElement>('.log-row') ?? null;
