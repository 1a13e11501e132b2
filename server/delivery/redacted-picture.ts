// A picture as those see it who may only look: secrets covered, over the runs of a row and over rows that are full.
import type { StyledRun } from '../../protocol/looks.ts';
import { redactedText } from './redacted-log.ts';

type Lines = readonly (readonly StyledRun[])[];

/** `open`: see `RedactedLog`. */
export function redactedLines(lines: Lines, cols: number, open: string): Lines {
  const rows = lines.map((runs) => runs.map(({ text }) => text).join(''));
  // A full row may continue in the next one; there is no sign of whether it does.
  const joined = rows.map((row) => (isFull(row, cols) ? row : `${row}\n`)).join('');
  const shown = redactedText(joined, open);
  if (shown === joined) return lines;
  let at = 0;
  return lines.map((runs, y) => {
    const own = runs.map((run) => {
      const text = shown.slice(at, at + run.text.length);
      at += run.text.length;
      return { ...run, text };
    });
    if (!isFull(rows[y] ?? '', cols)) at += 1;
    return own;
  });
}

/**
 * First letter that may be two cells wide; a narrow one among them makes a row look full that is not, which does no
 * harm.
 */
const FIRST_WIDE = '\u1100';

function isFull(row: string, cols: number): boolean {
  let width = row.length;
  for (const letter of row) if (letter >= FIRST_WIDE && letter.length === 1) width += 1;
  return width >= cols;
}
