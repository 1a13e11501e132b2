// Button that opens a popover in the top layer; Escape or a click outside closes the popover.
import type { LucideIcon } from 'lucide-react';
import { useId, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { placeBy } from './place-popover.ts';

interface PopoverButtonProps {
  readonly icon: LucideIcon;
  /** Accessible name of the button and of its popover. */
  readonly label: string;
  readonly hint?: string;
  readonly className?: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** Width of a popover in px, as in the style sheet. */
const WIDTH_PX = 300;

export function PopoverButton({
  icon: Icon,
  label,
  hint = label,
  className = '',
  text,
  children,
}: PopoverButtonProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [place, setPlace] = useState<CSSProperties | null>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`icon-button ${className}`}
        aria-label={label}
        title={hint}
        aria-expanded={place !== null}
        popoverTarget={id}
      >
        <Icon size={15} aria-hidden="true" />
        <span>{text}</span>
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        tabIndex={-1}
        className="menu popover"
        style={place ?? undefined}
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') setPlace(placeBy(button.current, WIDTH_PX));
        }}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') currentTarget.focus();
          else setPlace(null);
        }}
      >
        {place === null ? null : children}
      </div>
    </>
  );
}
