// Formats rows of cells for people.
import { visible } from '../../text/visible.ts';
import { textCells } from '../../text/characters.ts';

/** Returns one line for each row; all columns but the last are as wide as their widest cell. */
export function table(cells: readonly (readonly string[])[]): string {
  const lines = cells.map((line) => line.map(visible));
  const columns = (lines[0]?.length ?? 1) - 1;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => textCells(line[column] ?? ''))),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - textCells(cell))))
        .join('  '),
    )
    .join('\n');
}
