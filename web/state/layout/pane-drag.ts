// Drag data of a tab, pane or list row: the key of its process.
const DRAG_TYPE = 'application/x-exec-console-pane';

/** Key of the dragged process, since the browser hides drag data until the drop. */
let dragged: string | null = null;

export function dragPane(transfer: DataTransfer, key: string): void {
  dragged = key;
  transfer.setData(DRAG_TYPE, key);
  transfer.effectAllowed = 'move';
  // Cleanup for every end of a drag, even outside this window or with the dragged element removed by the
  // drop.
  const end = (): void => {
    dragged = null;
    window.removeEventListener('dragend', end, { capture: true });
    window.removeEventListener('pointermove', end, { capture: true });
  };
  window.addEventListener('dragend', end, { capture: true });
  // Pointer moves resume only after the drag; a removed element fires no dragend.
  window.addEventListener('pointermove', end, { capture: true });
}

/** Returns the dragged key; null for any other drag, including one from another page. */
export const draggedPane = (transfer: DataTransfer): string | null =>
  transfer.types.includes(DRAG_TYPE) ? dragged : null;
