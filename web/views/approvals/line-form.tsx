// A field for one line, with the button that takes it.
import { useState } from 'react';

interface LineFormProps {
  /** The accessible name of the field. */
  readonly label: string;
  readonly placeholder: string;
  /** The words of the button. */
  readonly button: string;
  readonly initial?: string;
  readonly onTake: (line: string) => void;
  /** True to empty the field when its line is taken. */
  readonly clears?: boolean;
}

export function LineForm({
  label,
  placeholder,
  button,
  initial = '',
  onTake,
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
        onChange={({ target }) => setLine(target.value)}
      />
      <button type="submit" className="secondary" disabled={line.trim() === ''}>
        {button}
      </button>
    </form>
  );
}
