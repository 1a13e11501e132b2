// A single-line field with a submit button.
import { useState } from 'react';

interface LineFormProps {
  /** Accessible name of the field. */
  readonly label: string;
  readonly placeholder: string;
  readonly button: string;
  readonly initial?: string;
  readonly onTake: (line: string) => void;
  readonly onEdit?: () => void;
  /** True to clear the field after submitting. */
  readonly clears?: boolean;
}

export function LineForm({
  label,
  placeholder,
  button,
  initial = '',
  onTake,
  onEdit,
  clears = false,
}: LineFormProps) {
  const [line, setLine] = useState(initial);
  return (
    <form
      className="rules-add"
      onSubmit={(event) => {
        event.preventDefault();
        if (line.trim() === '') return;
        onTake(line);
        if (clears) setLine('');
      }}
    >
      <input
        type="text"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={line}
        onChange={({ target }) => {
          setLine(target.value);
          onEdit?.();
        }}
      />
      <button type="submit" className="secondary" disabled={line.trim() === ''}>
        {button}
      </button>
    </form>
  );
}
