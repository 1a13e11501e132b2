// The wall shows all running processes at once as long as they are readable, and otherwise scrolls.
import { expect, it } from 'vitest';
import { GAP_PX, nextSize, STEPS, wallGrid } from './wall-grid.ts';

const [FLOOR] = STEPS;
const fits = (room: { width: number; height: number }, count: number): boolean => {
  const { columns, tile } = wallGrid(room, count, 'auto');
  const rows = Math.ceil(count / columns);
  return (
    rows * tile.height + (rows - 1) * GAP_PX <= room.height &&
    columns * tile.width + (columns - 1) * GAP_PX <= room.width + 0.01
  );
};

it('the grid fits all tiles into the window while they are readable', () => {
  for (let count = 1; count <= 60; count += 1) {
    expect(fits({ width: 1090, height: 840 }, count), `${count} on a desktop`).toBe(true);
    expect(fits({ width: 930, height: 660 }, Math.min(count, 50)), `${count} on a laptop`).toBe(true);
  }
});

it('the grid limits the size of a tile in both directions', () => {
  const many = wallGrid({ width: 1090, height: 840 }, 500, 'auto');
  expect(many.tile.height).toBe(FLOOR.height);
  expect(many.tile.width).toBeGreaterThanOrEqual(FLOOR.width);
  const one = wallGrid({ width: 1600, height: 1000 }, 1, 'auto');
  expect(one.tile).toEqual({ width: 640, height: 409 });
});

it('fewer tiles are larger', () => {
  const widths = [2, 6, 12, 24, 48].map(
    (count) => wallGrid({ width: 1090, height: 840 }, count, 'auto').tile,
  );
  expect(widths.map(({ height }) => height)).toEqual(
    widths.map(({ height }) => height).toSorted((a, b) => b - a),
  );
});

it('the grid has as many columns as fit in the chosen size', () => {
  expect(wallGrid({ width: 1090, height: 840 }, 3, 3)).toMatchObject({ columns: 3, tile: { height: 190 } });
  expect(wallGrid({ width: 100, height: 840 }, 3, 5)).toMatchObject({ columns: 1 });
});

it('nextSize steps from the shown size to the next one, and stops at both ends', () => {
  expect(nextSize('auto', 200, 1)).toBe(2);
  expect(nextSize('auto', 200, -1)).toBe(1);
  expect(nextSize('auto', 640, 1)).toBe(5);
  expect(nextSize('auto', 150, -1)).toBe(0);
  expect(nextSize(5, 600, 1)).toBe(5);
  expect(nextSize(0, 150, -1)).toBe(0);
});
