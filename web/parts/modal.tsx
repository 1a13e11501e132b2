// Behaviour shared by all dialogs: a dialog is open while mounted, on top of everything else.
import { useEffect, useRef, type RefObject } from 'react';

/** Returns a ref for the component's `<dialog>`, which is opened as a modal on mount and closed on unmount. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // A dialog focuses its first focusable element by default.
    element?.querySelector<HTMLElement>('[data-begin-here]')?.focus();
    return () => element?.close();
  }, []);
  return dialog;
}

/** Close button at the end of a dialog with nothing to confirm. */
export function CloseForm() {
  return (
    <form method="dialog" className="dialog-buttons">
      <button type="submit" className="secondary">
        Close
      </button>
    </form>
  );
}
