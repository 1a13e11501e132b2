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
    const layer = ref.current;
    if (!layer) return undefined;
    layer.showPopover();
    focusInput(layer);
    // A part of the page may take it by itself, as a pane does that is gone to; while the window has no focus that is told
    // when it comes back.
    const takeBack = ({ target }: FocusEvent): void => {
      if (target instanceof Node && !layer.contains(target))
        queueMicrotask(() => {
          if (layer.matches(':popover-open')) focusInput(layer);
        });
    };
    document.addEventListener('focus', takeBack, { capture: true });
    return () => document.removeEventListener('focus', takeBack, { capture: true });
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
      onClick={({ target, currentTarget, detail }) => {
        // The second one of a double click is meant for what has opened this.
        const isBeside = isPressedBeside.current && target === currentTarget && detail < 2;
        if (isBeside) currentTarget.hidePopover();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Tab') event.preventDefault();
      }}
    >
      <div className={className}>{children}</div>
    </div>
  );
}

function focusInput(layer: HTMLElement): void {
  layer.querySelector('input')?.focus();
}
