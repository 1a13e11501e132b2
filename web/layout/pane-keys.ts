// Ctrl+Shift+arrows: from pane to pane and to the list, which Tab cannot do since it is the terminal's; with Alt they move the pane.
import { focusPane, layoutStore, placePane } from './layout-store.ts';
import { neighbourOf, type Side } from './layout-tree.ts';

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
    const region = `[role="region"][data-process-key="${CSS.escape(focused)}"]`;
    document.querySelector<HTMLElement>(`${region} textarea`)?.focus();
    return;
  }
  const neighbour = neighbourOf(layout, focused, side);
  if (neighbour !== null && isMoving) placePane(focused, neighbour, side);
  else if (neighbour !== null) focusPane(neighbour);
  else if (side === 'left' && !isMoving) {
    document.querySelector<HTMLElement>('.sidebar [role="row"][tabindex="0"]')?.focus();
  }
}
