// Tiles keep their letters readable, and show where something was printed last.
import { expect, it } from 'vitest';
import { cropOf } from './tile-crop.ts';

const picture = (cols: number, rows: number, used: number) => ({
  cols,
  rows,
  lines: Array.from({ length: rows }, (_, row) => (row < used ? [{ text: `line ${row}` }] : [])),
});
const SPACE = { width: 480, height: 300 };

it('shows all of what fits', () => {
  expect(cropOf(picture(80, 24, 24), SPACE)).toMatchObject({ firstRow: 0, rows: 24, size: 10 });
});

it('draws no letter smaller than can be read, and shows the end of what was printed', () => {
  expect(cropOf(picture(300, 60, 60), SPACE)).toMatchObject({ firstRow: 30, rows: 30, size: 8 });
  expect(cropOf(picture(300, 60, 40), SPACE)).toMatchObject({ firstRow: 10, rows: 30, size: 8 });
});

it('begins at the top while that is enough', () => {
  expect(cropOf(picture(300, 60, 5), SPACE)).toMatchObject({ firstRow: 0, rows: 30 });
  expect(cropOf(picture(300, 60, 0), SPACE)).toMatchObject({ firstRow: 0 });
});

it('shows a line also where there is hardly room', () => {
  expect(cropOf(picture(300, 60, 60), { width: 20, height: 4 })).toMatchObject({ firstRow: 59, rows: 1 });
});
