// Ctrl+Shift+arrows: from pane to pane and to the list, which Tab cannot do since it is the terminal's; with Alt they move the tab into
// the group there, or into one of its own.
import { neighbourOf } from './layout-places.ts';
import { goToPane, layoutStore, movePane } from './layout-store.ts';
import type { Side } from './layout-tree.ts';

const SIDES: { readonly [key: string]: Side } = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'above',
  ArrowDown: 'below',
};

/** Listens before the terminals do. Returns its own undo. */
export function listenForPaneKeys(): () => void {
  const listener = (event: KeyboardEvent): void => {
    const side = SIDES[event.key];
    if (!side || !event.ctrlKey || !event.shiftKey || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    event.stopPropagation();
    go(side, event.altKey);
  };
  window.addEventListener('keydown', listener, { capture: true });
  return () => window.removeEventListener('keydown', listener, { capture: true });
}

function go(side: Side, isMoving: boolean): void {
  const { layout, focused } = layoutStore.getState();
  if (focused === null) return;
  const isInList = document.activeElement?.closest('.sidebar') !== null;
  if (isInList) {
    goToPane(focused);
    return;
  }
  const neighbour = neighbourOf(layout, focused, side);
  if (isMoving) movePane(focused, neighbour?.shown ?? focused, neighbour ? neighbour.keys.length : side);
  else if (neighbour) goToPane(neighbour.shown);
  else if (side === 'left') {
    document.querySelector<HTMLElement>('.sidebar [role="row"][tabindex="0"]')?.focus();
  }
}
