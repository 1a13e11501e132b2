// Asks in the pane whether a program's text may be copied to the clipboard, and shows the text first.
import { Copy } from 'lucide-react';
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { SettlingButton } from '../../parts/settling-button.tsx';
import { titleAmong } from '../../state/processes/process-title.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { copyText } from '../../state/page/copy.ts';
import { visibleLines } from '../../../text/visible.ts';
import { numberText } from '../../../text/amounts.ts';

export function CopyRequest({ info }: { readonly info: ProcessInfo }) {
  const { terminals } = useConsole();
  const chars = useStore(processStore, (state) => state.terminals[info.key]?.copyRequest ?? null);
  const requests = terminals.get(info.key)?.copyRequests;
  if (chars === null || !requests) return null;
  const { processes } = processStore.getState();
  const text = requests.text;
  const copy = (): void => {
    void copyText(text).then((isCopied) => {
      if (isCopied) requests.granted();
    });
  };
  return (
    <div className="copy-request" role="group" aria-label="Copy to your clipboard?">
      <p role="status" className="copy-request-who">
        <Copy size={13} aria-hidden="true" />
        <span>
          <b>{titleAmong(processes, info)}</b> asks to copy{' '}
          {chars === 1 ? '1 character' : `${numberText(chars)} characters`} to your clipboard
        </span>
      </p>
      <pre className="copy-request-text" tabIndex={0} aria-label="Text to copy">
        {visibleLines(text)}
      </pre>
      <p className="copy-request-acts">
        <button type="button" className="secondary" onClick={() => requests.ignored()}>
          Ignore
        </button>
        <SettlingButton className="primary" onPress={copy}>
          Copy
        </SettlingButton>
      </p>
    </div>
  );
}
