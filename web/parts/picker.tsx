// A picker by typing, over everything else: it closes once something is picked, or by a click beside it. It is no modal
// <dialog>: for that, the browser makes the whole page inert, and recomputes all styles, on opening and on closing,
// which took longer than everything else between the key and the picture.
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';

interface PickerProps {
  /** Its `hidePopover()` closes it, and returns the focus to the element that had it before. */
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly className: string;
  /** Called when it was closed, in whatever way. */
  readonly onClose: () => void;
  /** Content with an `<input>`, which alone gets the focus. */
  readonly children: ReactNode;
}

export function Picker({ ref, label, className, onClose, children }: PickerProps) {
  /** True when the last press began beside it: a press that only ends there may have selected the typed text. */
  const isPressedBeside = useRef(false);
  useEffect(() => {
    const layer = ref.current;
    if (!layer) return undefined;
    layer.showPopover();
    focusInput(layer);
    // The page may move the focus by itself, for example to a pane; without the window's focus, the event comes when
    // that returns.
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
        // The second click of a double click is meant for the opener.
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
