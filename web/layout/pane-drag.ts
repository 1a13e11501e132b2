// What a dragged tab, pane or row of the list carries: its process's key.
const DRAG_TYPE = 'application/x-exec-console-pane';

/** While something is over a place the browser does not say what; so this page remembers what it drags. */
let dragged: string | null = null;

export function dragPane(transfer: DataTransfer, key: string): void {
  dragged = key;
  transfer.setData(DRAG_TYPE, key);
  transfer.effectAllowed = 'move';
}

/** Null for anything else that is dragged, also from another page. */
export const draggedPane = (transfer: DataTransfer): string | null =>
  transfer.types.includes(DRAG_TYPE) ? dragged : null;
