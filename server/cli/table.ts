// Lines of cells, one below the other, for a person.
import { textCells } from '../protocol/characters.ts';

/** All columns but the last are as wide as their widest cell. */
export function table(lines: readonly (readonly string[])[]): string {
  const columns = (lines[0]?.length ?? 1) - 1;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((cells) => textCells(cells[column] ?? ''))),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - textCells(cell))))
        .join('  '),
    )
    .join('\n');
}

export const dateAndTime = (atMs: number): string =>
  new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
