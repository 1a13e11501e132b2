// Which groups of the list are folded up; it survives a reload of the page.
import { createStore } from 'zustand/vanilla';

const STORED = 'exec-console.collapsed-groups';
/** The oldest are forgotten: sessions come and go, and their names with them. */
const REMEMBERED = 100;

export const collapsedGroups = createStore<{ readonly ids: readonly string[] }>(() => ({ ids: stored() }));

export function toggleGroup(id: string): void {
  const { ids } = collapsedGroups.getState();
  const next = ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id].slice(-REMEMBERED);
  collapsedGroups.setState({ ids: next });
  try {
    localStorage.setItem(STORED, JSON.stringify(next));
  } catch {
    // A browser that stores nothing forgets this, too.
  }
}

function stored(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(-REMEMBERED) : [];
  } catch {
    return [];
  }
}
