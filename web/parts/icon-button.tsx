// A small button with an icon, named for everyone who does not see it.
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface IconButtonProps {
  readonly icon: LucideIcon;
  /** The accessible name, and the tooltip unless there is a longer one. */
  readonly label: string;
  readonly hint?: string;
  /** True: the text is there also where other buttons have no room for theirs. */
  readonly keepsText?: boolean;
  /** Shown beside the icon, when there is room for it. */
  readonly children?: ReactNode;
  readonly kind?: 'plain' | 'danger';
  readonly disabled?: boolean;
  readonly pressed?: boolean;
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
      onClick={onClick}
    >
      <Icon size={15} aria-hidden="true" />
      {children === undefined ? null : <span className="icon-button-text">{children}</span>}
    </button>
  );
}
