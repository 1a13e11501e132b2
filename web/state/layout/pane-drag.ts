// Drag data of a tab, pane or row of the list: the key of its process.
const DRAG_TYPE = 'application/x-exec-console-pane';

/** The browser hides the data of a drag until the drop, so this page remembers its own. */
let dragged: string | null = null;

export function dragPane(transfer: DataTransfer, key: string): void {
  dragged = key;
  transfer.setData(DRAG_TYPE, key);
  transfer.effectAllowed = 'move';
  // Runs after any end of the drag, also outside this window, and even when the drop has removed the dragged element.
  const end = (): void => {
    dragged = null;
    window.removeEventListener('dragend', end, { capture: true });
    window.removeEventListener('pointermove', end, { capture: true });
  };
  window.addEventListener('dragend', end, { capture: true });
  // A pointer moves only after the drag; a removed element fires no dragend.
  window.addEventListener('pointermove', end, { capture: true });
}

/** Returns the dragged key; null for any other drag, also from another page. */
export const draggedPane = (transfer: DataTransfer): string | null =>
  transfer.types.includes(DRAG_TYPE) ? dragged : null;
