// Size of the wall's tiles, stored in this browser.
import { createStore } from 'zustand/vanilla';
import { readStored, writeStored } from './storage.ts';
import { nextSize, STEPS, type TileSize } from './wall-grid.ts';

const STORED = 'exec-console.wall';

interface WallSize {
  readonly size: TileSize;
  /** Current width of the tiles in CSS px, from which a step starts while `size` is `auto`. */
  readonly shownWidth: number;
}

export const wallSize = createStore<WallSize>(() => ({
  size: readStored(STORED, parseSize),
  shownWidth: 0,
}));

export function setTileSize(size: TileSize): void {
  wallSize.setState({ size });
  writeStored(STORED, size);
}

export function stepTileSize(by: 1 | -1): void {
  const { size, shownWidth } = wallSize.getState();
  setTileSize(nextSize(size, shownWidth, by));
}

function parseSize(value: unknown): TileSize {
  return typeof value === 'number' && STEPS[value] !== undefined ? value : 'auto';
}
