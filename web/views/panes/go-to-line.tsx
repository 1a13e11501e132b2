// Dialog for going to a line number in a log.
import { useState, type FormEvent } from 'react';
import { useConsole } from '../../parts/console-context.tsx';
import { useModal } from '../../parts/modal.tsx';

interface GoToLineProps {
  readonly processKey: string;
  readonly onClose: () => void;
}

export function GoToLine({ processKey, onClose }: GoToLineProps) {
  const { terminals } = useConsole();
  const dialog = useModal();
  const [text, setText] = useState('');
  const line = Number(text.replaceAll(/[\s,.]/g, ''));
  const isLine = Number.isSafeInteger(line) && line >= 1;

  function go(event: FormEvent): void {
    event.preventDefault();
    if (!isLine) return;
    // Close the dialog first: nothing behind it can take the focus.
    dialog.current?.close();
    terminals.goTo({ key: processKey, line });
    terminals.get(processKey)?.focus();
  }

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="go-to-line-title" onClose={onClose}>
      <h2 id="go-to-line-title">Go to line</h2>
      <form onSubmit={go}>
        <div className="field">
          <label htmlFor="go-to-line">Line number (1 or higher)</label>
          <input
            id="go-to-line"
            data-begin-here
            inputMode="numeric"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <div className="dialog-buttons">
          <button type="button" className="secondary" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={!isLine}>
            Go to line
          </button>
        </div>
      </form>
    </dialog>
  );
}
