// A picker with a text field, on top of everything else; Escape or a click outside closes it. The picker is not a
// modal <dialog>, because making the page inert forces the browser to recompute all styles on open and close, which
// dominated the time from key press to display.
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';

interface PickerProps {
  /** The picker's element; `hidePopover()` closes the picker and returns the focus to the previous element. */
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly className: string;
  /** Called whenever the picker closes. */
  readonly onClose: () => void;
  /** Content with an `<input>`, which is focused again when the focus leaves the picker. */
  readonly children: ReactNode;
}

export function Picker({ ref, label, className, onClose, children }: PickerProps) {
  /** True when the last press began outside: a press that only ends outside may have been a text selection. */
  const isPressedBeside = useRef(false);
  useEffect(() => {
    const layer = ref.current;
    if (!layer) return undefined;
    layer.showPopover();
    focusInput(layer);
    // The page may move the focus, for example to a pane. In a window without the focus, the event arrives when the
    // window regains the focus.
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
        // The second click of a double click belongs to the button that opened the picker.
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
