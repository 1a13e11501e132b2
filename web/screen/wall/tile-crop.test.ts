// Tiles keep their letters readable and show lines with text rather than blank ones.
import { expect, it } from 'vitest';
import { cropOf } from './tile-crop.ts';

const picture = (cols: number, rows: number, from: number, to: number) => ({
  cols,
  lines: Array.from({ length: rows }, (_, row) => (row >= from && row < to ? [{ text: `line ${row}` }] : [])),
});
const SPACE = { width: 480, height: 300 };

it('a tile shows the whole screen when it fits', () => {
  expect(cropOf(picture(80, 24, 0, 24), SPACE)).toMatchObject({ firstRow: 0, rows: 24, size: 10 });
});

it('a tile keeps its letters readable, and shows the end of the output', () => {
  expect(cropOf(picture(300, 60, 0, 60), SPACE)).toMatchObject({ firstRow: 36, rows: 24, size: 10 });
  expect(cropOf(picture(300, 60, 0, 40), SPACE)).toMatchObject({ firstRow: 16, rows: 24, size: 10 });
});

it('a tile omits blank lines around the text, and limits the size of its letters', () => {
  expect(cropOf(picture(40, 24, 5, 8), SPACE)).toMatchObject({ firstRow: 5, rows: 3, size: 12 });
  expect(cropOf(picture(40, 24, 20, 24), { width: 150, height: 22 })).toMatchObject({
    firstRow: 23,
    rows: 1,
  });
  expect(cropOf(picture(80, 24, 0, 0), SPACE)).toMatchObject({ firstRow: 0 });
});

it('a tile shows at least one line', () => {
  expect(cropOf(picture(300, 60, 0, 60), { width: 20, height: 4 })).toMatchObject({ firstRow: 59, rows: 1 });
});
