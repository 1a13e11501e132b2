// Button for a step that affects a process: one press is one step, however long it is held or how quickly it is
// repeated.
import type { LucideIcon } from 'lucide-react';
import { useLayoutEffect, useRef, type RefObject } from 'react';

interface StepButtonProps {
  readonly icon?: LucideIcon;
  /** Accessible name; also the tooltip if there is no hint. */
  readonly label: string;
  readonly hint?: string;
  /** Visible text, beside the icon if there is one. */
  readonly text?: string;
  readonly className: string;
  readonly disabled?: boolean;
  readonly ref?: RefObject<HTMLButtonElement | null>;
  readonly onStep: () => void;
  /** Called when the button was removed with the focus, no other element got the focus, and its parent remains. */
  readonly onFocusLost?: () => void;
}

export function StepButton(props: StepButtonProps) {
  const { icon: Icon, label, hint = label, text, className, disabled, onStep } = props;
  const own = useRef<HTMLButtonElement>(null);
  const { ref: button = own } = props;
  const onFocusLost = useRef(props.onFocusLost);
  useLayoutEffect(() => {
    onFocusLost.current = props.onFocusLost;
  });
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element === null || document.activeElement !== element) return;
      const home = element.parentElement;
      // The focus is not moved if the surrounding element is gone too, since the person has moved elsewhere,
      // or if a replacement has taken the focus.
      requestAnimationFrame(() => {
        if (home?.isConnected === true && document.activeElement === document.body) onFocusLost.current?.();
      });
    };
  }, [button]);
  return (
    <button
      ref={button}
      type="button"
      className={className}
      aria-label={label}
      title={hint}
      disabled={disabled}
      onClick={(event) => {
        // The second click of a double click must not count.
        if (event.detail <= 1) onStep();
      }}
    >
      {Icon ? <Icon size={15} aria-hidden="true" /> : null}
      {text === undefined ? null : <span className="icon-button-text">{text}</span>}
    </button>
  );
}
