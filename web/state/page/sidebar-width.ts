// Width of the list, a setting of this browser that survives a reload.
import { createStore } from 'zustand/vanilla';
import { readStored, writeStored } from './storage.ts';

/**
 * Bounds in CSS px. The style sheet also limits the list to 60% of the window's width, whatever is stored.
 */
export const SIDEBAR = { least: 260, usual: 348, most: 720 } as const;

const STORED = 'exec-console.sidebar-width';

export const sidebarWidth = createStore<{ readonly width: number }>(() => ({
  width: readStored(STORED, (value) => (Number.isFinite(value) ? within(value as number) : SIDEBAR.usual)),
}));

export function setSidebarWidth(width: number): void {
  sidebarWidth.setState({ width: within(width) });
  writeStored(STORED, within(width));
}

function within(width: number): number {
  return Math.min(SIDEBAR.most, Math.max(SIDEBAR.least, Math.round(width)));
}
