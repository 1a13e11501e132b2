// A small button with an icon and an accessible name.
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface IconButtonProps {
  readonly icon: LucideIcon;
  /** Accessible name; also the tooltip unless there is a longer hint. */
  readonly label: string;
  readonly hint?: string;
  /** True when the text stays visible where other buttons hide theirs for lack of room. */
  readonly keepsText?: boolean;
  /** Text beside the icon, if there is room. */
  readonly children?: ReactNode;
  readonly kind?: 'plain' | 'danger';
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  /** Value of `data-repeats`: a button that replaces one with the same value under the pointer reacts immediately. */
  readonly repeats?: string;
  readonly onClick: () => void;
}

export function IconButton({
  icon: Icon,
  label,
  hint = label,
  children,
  keepsText = false,
  kind = 'plain',
  disabled,
  pressed,
  repeats,
  onClick,
}: IconButtonProps) {
  return (
    <button
      type="button"
      className={`icon-button ${kind} ${keepsText ? 'keeps-text' : ''}`}
      aria-label={label}
      title={hint}
      disabled={disabled}
      aria-pressed={pressed}
      data-repeats={repeats}
      onClick={onClick}
    >
      <Icon size={15} aria-hidden="true" />
      {children === undefined ? null : <span className="icon-button-text">{children}</span>}
    </button>
  );
}
