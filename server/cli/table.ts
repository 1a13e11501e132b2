// Lines of cells, one below the other, for a person.

/** All columns but the last are as wide as their widest cell. */
export function table(lines: readonly (readonly string[])[]): string {
  const columns = (lines[0]?.length ?? 1) - 1;
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  return lines
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

export const dateAndTime = (atMs: number): string =>
  new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
