// What something is picked from by typing: over everything else and gone as soon as that is done, or one clicks beside it.
// It is no modal <dialog>, for which the browser makes all of the page inert, and computes the styles of all of it anew,
// when it opens and when it closes: that took longer than all else from the key to the picture.
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';

interface PickerProps {
  /** Its `hidePopover()` closes it, and gives the focus back to what had it before. */
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly className: string;
  /** It has been closed, by whatever. */
  readonly onClose: () => void;
  /** An `<input>` among them: nothing else here has the focus. */
  readonly children: ReactNode;
}

export function Picker({ ref, label, className, onClose, children }: PickerProps) {
  /** Whether the last press has begun beside it: one that ends there may have selected what is typed. */
  const isPressedBeside = useRef(false);
  useEffect(() => {
    ref.current?.showPopover();
    focusInput(ref.current);
  }, [ref]);
  return (
    <div
      ref={ref}
      popover="auto"
      role="dialog"
      aria-modal="true"
      aria-label={label}
      className="picker-layer"
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose();
      }}
      onPointerDown={({ target, currentTarget }) => {
        isPressedBeside.current = target === currentTarget;
      }}
      onMouseDown={(event) => {
        if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
      }}
      onClick={({ target, currentTarget }) => {
        if (isPressedBeside.current && target === currentTarget) currentTarget.hidePopover();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Tab') event.preventDefault();
      }}
      onBlur={({ currentTarget }) => {
        // A part of the page that takes it by itself, as a pane does that is gone to.
        queueMicrotask(() => {
          if (currentTarget.matches(':popover-open') && document.hasFocus()) focusInput(currentTarget);
        });
      }}
    >
      <div className={className}>{children}</div>
    </div>
  );
}

function focusInput(picker: HTMLElement | null): void {
  picker?.querySelector('input')?.focus();
}
