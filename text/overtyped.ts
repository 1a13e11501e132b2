// Renders a line in which the program moved back, as a terminal would show it.
import { LineCells } from './line-cells.ts';

/* oxlint-disable no-control-regex -- these are control sequences */
const EDITED = /[\r\u0008]|\u001b(?:[8c]|\[(?:[\d;]*[@CDGHIJKPXZ`abfu]|\?[\d;]*[JK]))/;
/** Matches an edit, another sequence, or text. */
const PIECE =
  /\u001b\[(?:([\d;]*)([@CDGHIJKPXZ`abfhlsu])|\?([\d;]*)([JK]))|\u001b([78c])|([\r\u0008])|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?|([^\u001b\r\u0008]+)/gu;
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;
/* oxlint-enable no-control-regex */
const MOST_COLUMNS = 8192;

/**
 * Returns the text that a terminal would show; null for a line in which the program neither moves along the line nor
 * edits it.
 */
export function overtyped(line: string): string | null {
  if (!EDITED.test(line)) return null;
  const cells = new LineCells<null>(MOST_COLUMNS, () => false);
  for (const [, params = '', edit, selected = '', erase, cursor, back, text] of line.matchAll(PIECE)) {
    if (text !== undefined) cells.put(text.replaceAll(CONTROLS, ''), null);
    else if (back === '\r') cells.moveTo(0);
    else if (back !== undefined) cells.moveTo(cells.column - 1);
    else if (cursor === 'c') cells.reset();
    else if (cursor === '7') cells.save();
    else if (cursor !== undefined) cells.restore();
    else if (edit !== undefined) cells.edit(edit, params, null);
    else if (erase !== undefined) cells.edit(erase, selected, null);
  }
  return cells
    .pieces()
    .map((piece) => piece.text)
    .join('');
}
