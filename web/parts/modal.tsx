// Common behaviour of every dialog: it is open as long as it is mounted, over everything else.
import { useEffect, useRef, type RefObject } from 'react';

/** Ref for the `<dialog>` of the component. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The dialog itself would focus its first element.
    element?.querySelector<HTMLElement>('[data-begin-here]')?.focus();
    return () => element?.close();
  }, []);
  return dialog;
}

/** The last line of a dialog that has nothing to confirm. */
export function CloseForm() {
  return (
    <form method="dialog" className="dialog-buttons">
      <button type="submit" className="secondary">
        Close
      </button>
    </form>
  );
}
