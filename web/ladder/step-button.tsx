// A button that takes something from a process: one press is one step, however long it is held or how often it is clicked at once.
import type { LucideIcon } from 'lucide-react';
import type { Ref } from 'react';

interface StepButtonProps {
  readonly icon?: LucideIcon;
  /** The accessible name, and the tooltip unless there is a longer one. */
  readonly label: string;
  readonly hint?: string;
  /** Shown beside the icon. */
  readonly text?: string;
  readonly className: string;
  readonly disabled?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onStep: () => void;
}

export function StepButton(props: StepButtonProps) {
  const { icon: Icon, label, hint = label, text, className, disabled, ref, onStep } = props;
  return (
    <button
      ref={ref}
      type="button"
      className={className}
      aria-label={label}
      title={hint}
      disabled={disabled}
      onKeyDown={(event) => {
        // The next step may stand where this one stood: a key that is held down is not pressed for it.
        if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault();
      }}
      onClick={(event) => {
        // Nor is the second click of a double one meant for it.
        if (event.detail <= 1) onStep();
      }}
    >
      {Icon ? <Icon size={15} aria-hidden="true" /> : null}
      {text === undefined ? null : <span className="icon-button-text">{text}</span>}
    </button>
  );
}
