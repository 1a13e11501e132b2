// Text of a pane in a text field, for screen readers and for selecting with the keyboard.
import { RefreshCw, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { goToPane } from '../../state/layout/layout-store.ts';
import { shortCommand } from '../../../text/command-line.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { useModal } from '../../parts/modal.tsx';
import { visibleLines } from '../../../text/visible.ts';
import { hidePaneText, paneTextStore } from '../../state/page/pane-text-store.ts';

export function PaneTextDialog() {
  const key = useStore(paneTextStore, (state) => state.key);
  return key === null ? null : <PaneText processKey={key} />;
}

function PaneText({ processKey }: { readonly processKey: string }) {
  const { terminals } = useConsole();
  const argv = useStore(processStore, (state) => state.processes[processKey]?.argv ?? []);
  const read = (): string => visibleLines(terminals.get(processKey)?.plainText() ?? '');
  const [text, setText] = useState(read);
  const dialog = useModal();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // The field is scrolled to its end, since the newest text matters most.
    const { current } = field;
    if (!current) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
    current.scrollTop = current.scrollHeight;
  }, []);
  const title = `Output of ${shortCommand(argv)}`;
  return (
    <dialog
      ref={dialog}
      className="dialog pane-text"
      aria-label={title}
      onClose={() => {
        hidePaneText();
        goToPane(processKey);
      }}
    >
      <header>
        <h2 title={title}>{title}</h2>
        <IconButton
          icon={RefreshCw}
          label="Refresh text"
          hint="Refresh text (it does not update automatically)"
          onClick={() => setText(read())}
        />
        <IconButton icon={X} label="Close" hint="Close (Esc)" onClick={() => dialog.current?.close()} />
      </header>
      <textarea ref={field} readOnly aria-label={title} value={text} spellCheck={false} wrap="soft" />
    </dialog>
  );
}
