// A picture as observers see it: secrets are masked, across the runs of a row and across full rows.
import type { StyledRun } from '../../protocol/looks.ts';
import { redactedText } from './redacted-log.ts';

type Lines = readonly (readonly StyledRun[])[];

/** Returns the lines with secrets masked; for `open`, see `RedactedLog`. */
export function redactedLines(lines: Lines, cols: number, open: string): Lines {
  const rows = lines.map((runs) => runs.map(({ text }) => text).join(''));
  // A full row may continue in the next one, and nothing shows whether it does, so they are joined.
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
 * First letter that may be two cells wide. Some later letters are narrow, so a row may wrongly count as full,
 * which does no harm.
 */
const FIRST_WIDE = '\u1100';

function isFull(row: string, cols: number): boolean {
  let width = row.length;
  for (const letter of row) if (letter >= FIRST_WIDE && letter.length === 1) width += 1;
  return width >= cols;
}
