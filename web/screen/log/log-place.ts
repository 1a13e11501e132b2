// A position in a log, and its counterpart in the document, which contains only some of the lines.
export interface Place {
  readonly id: number;
  /** Number of characters before the position in its line. */
  readonly at: number;
}

const idOf = (row: HTMLElement): number => Number(row.dataset['id']);

/** Returns the log position of a document position; null where no line is near. */
export function placeOf(node: Node, offset: number): Place | null {
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest<HTMLElement>('.log-row') ?? rowAt(element, offset);
  const text = row?.querySelector('.log-text');
  if (!row || !text) return row ? { id: idOf(row), at: 0 } : null;
  if (!text.contains(node)) {
    // A position outside the text counts as its end if it follows the text or all rows, otherwise as its start.
    const isAfter =
      element === row ? offset > 1 : element?.contains(row) === true && offset >= element.children.length;
    return { id: idOf(row), at: isAfter ? (text.textContent?.length ?? 0) : 0 };
  }
  const before = document.createRange();
  before.setStart(text, 0);
  before.setEnd(node, offset);
  return { id: idOf(row), at: before.toString().length };
}

/** Returns the document position of a log position; null when the line is not in the document. */
export function nodeAt(rows: HTMLElement, { id, at }: Place): { node: Node; offset: number } | null {
  const row = rows.querySelector(`.log-row[data-id="${id}"]`);
  const text = row?.querySelector('.log-text') ?? row;
  if (!text) return null;
  let rest = at;
  const texts = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { length } = node.textContent ?? '';
    if (rest <= length) return { node, offset: rest };
    rest -= length;
  }
  return { node: text, offset: text.childNodes.length };
}

const rowAt = (element: Element | null, offset: number): HTMLElement | null =>
  (
    element?.children[Math.min(offset, element.children.length - 1)] as HTMLElement | undefined
  )?.closest<HTMLElement>('.log-row') ?? null;
