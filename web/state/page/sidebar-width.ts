// Width of the list, a setting of this browser that survives a reload.
import { createStore } from 'zustand/vanilla';

/** Bounds in CSS px. The list gets at most a fraction of the page's width, whatever is stored. */
export const SIDEBAR = { least: 260, usual: 348, most: 720 } as const;

const STORED = 'exec-console.sidebar-width';

export const sidebarWidth = createStore<{ readonly width: number }>(() => ({ width: stored() }));

export function setSidebarWidth(width: number): void {
  sidebarWidth.setState({ width: within(width) });
  try {
    localStorage.setItem(STORED, String(sidebarWidth.getState().width));
  } catch {
    // The width is lost on reload if it cannot be stored.
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
