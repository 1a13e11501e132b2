// Input line for the stdin of a process with pipes, which has no terminal for editing.
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { isStdinClosed } from '../../../text/process-words.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { lineCount, safePaste } from '../../screen/terminal/paste.ts';
import { unsentText } from '../../screen/terminal/unsent-line.ts';
import { askPaste } from '../../state/page/paste-store.ts';

interface StdinLineProps {
  readonly info: ProcessInfo;
  readonly onError: (message: string) => void;
}

/** Parts of the messages about a failed request: the effect when it was refused, and when its outcome is unknown. */
interface Words {
  readonly unchanged: string;
  readonly inDoubt: string;
}

const LINE: Words = { unchanged: ': nothing was sent', inDoubt: 'this line may not have arrived' };
const CLOSING: Words = { unchanged: '', inDoubt: 'stdin may still be open' };

export function StdinLine({ info, onError }: StdinLineProps) {
  const { key: processKey } = info;
  const { client, terminals } = useConsole();
  const [line, setLine] = useState('');
  const connection = useStore(processStore, (state) => state.connection.kind);
  const report = (outcome: unknown, words: Words): void => {
    if (outcome === 'stdinClosed') onError(`The process no longer reads its stdin${words.unchanged}.`);
    if (outcome === 'unknownProcess') onError(`The gateway no longer has this process${words.unchanged}.`);
    if (outcome === 'inDoubt') onError(`The connection was lost: ${words.inDoubt}.`);
  };
  const fail = (error: unknown): void => onError(errorSentence(error));
  if (isStdinClosed(info)) return <p className="stdin-line hint">stdin is closed</p>;
  return (
    <form
      className="stdin-line"
      onSubmit={(event) => {
        event.preventDefault();
        // The line stays, and can be sent once the connection is back.
        if (connection !== 'online') return onError(unsentText(connection));
        setLine('');
        terminals
          .get(processKey)
          ?.write(`${line}\n`)
          .then((outcome) => report(outcome, LINE), fail);
      }}
    >
      <input
        aria-label="Send a line to stdin"
        placeholder="Send a line to stdin …"
        value={line}
        onChange={(event) => setLine(event.target.value)}
        onPaste={(event) => {
          const text = safePaste(event.clipboardData.getData('text/plain'));
          // A single-line field would silently join several lines.
          if (lineCount(text) < 2) return;
          event.preventDefault();
          askPaste({ processKey, text });
        }}
      />
      <button
        type="button"
        className="link-button"
        disabled={connection !== 'online'}
        onClick={(event) => {
          // The button disappears once stdin is closed, so the focus moves to the pane.
          event.currentTarget.closest<HTMLElement>('.pane')?.focus();
          client.processes
            .attach(processKey)
            .closeStdin()
            .then((outcome) => report(outcome, CLOSING), fail);
        }}
      >
        Close stdin
      </button>
    </form>
  );
}
