// Preview of pasted lines, each of which would be executed immediately: to be edited, pasted or cancelled.
import { numberText } from '../../../text/amounts.ts';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { processName } from '../../../text/command-line.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { useModal } from '../../parts/modal.tsx';
import { isMac } from '../../state/page/platform.ts';
import { asOneLine, lineCount, safePaste } from '../../screen/terminal/paste.ts';
import { unsentText } from '../../screen/terminal/unsent-line.ts';
import { forgetPaste, pasteStore } from '../../state/page/paste-store.ts';

export function PastePreview() {
  const pending = useStore(pasteStore, (state) => state.pending);
  if (!pending) return null;
  return <PasteDialog key={pending.processKey} {...pending} />;
}

function PasteDialog({ processKey, text }: { readonly processKey: string; readonly text: string }) {
  const { terminals } = useConsole();
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const dialog = useModal();
  const connection = useStore(processStore, (state) => state.connection.kind);
  const [draft, setDraft] = useState(text);
  const [problem, setProblem] = useState<string | null>(null);
  const lines = lineCount(draft);
  // Closing returns the focus to the target of the paste.
  const leave = (): void => dialog.current?.close();
  const paste = (what: string): void => {
    // The text stays, and can be pasted once the connection is back.
    if (connection !== 'online') return setProblem(unsentText(connection));
    leave();
    terminals.get(processKey)?.input.pasteNow(safePaste(what));
  };
  return (
    <dialog ref={dialog} className="dialog paste-preview" aria-labelledby="paste-title" onClose={forgetPaste}>
      <h2 id="paste-title">Paste {lines === 1 ? 'this line' : `these ${numberText(lines)} lines`}?</h2>
      <p>
        {info ? <strong>{processName(info)}</strong> : 'The program'} reads every line as if Enter had been
        pressed after it.
      </p>
      <textarea
        aria-label="Text to paste"
        value={draft}
        rows={Math.min(14, Math.max(4, lines))}
        spellCheck={false}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          // A plain Enter right after the paste must not confirm unread text.
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) paste(draft);
        }}
      />
      {problem === null || connection === 'online' ? null : (
        <p role="alert" className="dialog-problem">
          {problem}
        </p>
      )}
      <div className="dialog-buttons">
        <button type="button" className="secondary" onClick={leave}>
          Cancel
        </button>
        <button type="button" className="secondary" onClick={() => paste(asOneLine(draft))}>
          Paste as one line
        </button>
        <button
          type="button"
          className="primary"
          title={`${isMac ? '⌘' : 'Ctrl'}+Enter`}
          onClick={() => paste(draft)}
        >
          Paste
        </button>
      </div>
    </dialog>
  );
}
