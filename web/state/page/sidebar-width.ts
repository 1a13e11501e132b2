// Width of the list: a choice of this browser, kept over a reload.
import { createStore } from 'zustand/vanilla';

/** Bounds in CSS pixels. The page gives the list at most a part of its own width, whatever is stored. */
export const SIDEBAR = { least: 260, usual: 348, most: 720 } as const;

const STORED = 'exec-console.sidebar-width';

export const sidebarWidth = createStore<{ readonly width: number }>(() => ({ width: stored() }));

export function setSidebarWidth(width: number): void {
  sidebarWidth.setState({ width: within(width) });
  try {
    localStorage.setItem(STORED, String(sidebarWidth.getState().width));
  } catch {
    // In a browser without storage, the width is lost as well.
  }
}

function within(width: number): number {
  return Math.min(SIDEBAR.most, Math.max(SIDEBAR.least, Math.round(width)));
}

function stored(): number {
  try {
    const width = Number(localStorage.getItem(STORED) ?? SIDEBAR.usual);
    return Number.isFinite(width) ? within(width) : SIDEBAR.usual;
  } catch {
    return SIDEBAR.usual;
  }
}
