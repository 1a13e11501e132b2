// What every dialog does: it is open as long as it is there, over everything else.
import { useEffect, useRef, type RefObject } from 'react';

/** For a `<dialog>` of the component. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The dialog itself would begin with whatever stands first in it.
    element?.querySelector<HTMLElement>('[data-begin-here]')?.focus();
    return () => element?.close();
  }, []);
  return dialog;
}

/** The last line of a dialog in which there is nothing to confirm. */
export function CloseForm() {
  return (
    <form method="dialog" className="dialog-buttons">
      <button type="submit" className="secondary">
        Close
      </button>
    </form>
  );
}
