// What a dragged tab, pane or row of the list carries: its process's key.
const DRAG_TYPE = 'application/x-exec-console-pane';

/** While something is over a place the browser does not say what; so this page remembers what it drags. */
let dragged: string | null = null;

export function dragPane(transfer: DataTransfer, key: string): void {
  dragged = key;
  transfer.setData(DRAG_TYPE, key);
  transfer.effectAllowed = 'move';
  // However it ends, also outside of this window, and although the drop may have taken away what was dragged.
  const end = (): void => {
    dragged = null;
    window.removeEventListener('dragend', end, { capture: true });
    window.removeEventListener('pointermove', end, { capture: true });
  };
  window.addEventListener('dragend', end, { capture: true });
  // While something is dragged there are none; an element that is gone tells no end.
  window.addEventListener('pointermove', end, { capture: true });
}

/** Null for anything else that is dragged, also from another page. */
export const draggedPane = (transfer: DataTransfer): string | null =>
  transfer.types.includes(DRAG_TYPE) ? dragged : null;
