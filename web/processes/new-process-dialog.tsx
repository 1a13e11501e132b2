// Starting a process: a command line for the shell or exact words, where, and with a terminal or pipes.
import { useRef, useState, type FormEvent } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../console-context.tsx';
import { openPane } from '../layout/layout-store.ts';
import { processStore } from './process-store.ts';
import { draftLike, startProcess, type Draft } from './start-process.ts';
import { useModal } from '../ui/modal.tsx';
import { errorText } from '../ui/error-text.ts';

export function NewProcessDialog({
  like,
  onClose,
  onStarted,
}: {
  /** The key of a process that another like it is to be started of; null: of none. */
  readonly like: string | null;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}) {
  const { client, terminals } = useConsole();
  const dialog = useModal();
  const environment = useStore(processStore, ({ connection }) =>
    connection.kind === 'online' ? connection.environment : null,
  );
  const [draft, setDraft] = useState<Draft>(() => {
    const former = like === null ? undefined : processStore.getState().processes[like];
    return former
      ? draftLike(former)
      : {
          command: '',
          cwd: environment ? pathOf(environment.cwd) : '/',
          isExact: false,
          tty: true,
          pipeStdin: true,
        };
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [isStarting, setStarting] = useState(false);
  const isUnderWay = useRef(false);
  const change = (changed: Partial<Draft>): void => setDraft((current) => ({ ...current, ...changed }));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // Enter pressed twice is one wish; the state would tell only after the next drawing.
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setProblem(null);
    setStarting(true);
    try {
      // What is typed next is for the terminal, so it must be there.
      const [key] = await Promise.all([startProcess(client, draft), terminals.load()]);
      // First the dialog goes: behind it nothing can have the focus.
      onStarted();
      openPane(key);
    } catch (error) {
      setProblem(errorText(error));
      setStarting(false);
      isUnderWay.current = false;
    }
  }

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="new-process-title" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="new-process-title">{like === null ? 'New process' : 'Start one like it'}</h2>
        {problem ? (
          <p role="alert" className="dialog-problem">
            {problem}
          </p>
        ) : null}
        <div className="field">
          <label htmlFor="new-command">Command</label>
          <textarea
            id="new-command"
            autoFocus
            rows={draft.isExact ? 4 : 2}
            spellCheck={false}
            required
            placeholder={draft.isExact ? 'one argument a line' : 'npm test'}
            value={draft.command}
            onChange={(event) => change({ command: event.target.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !draft.isExact) {
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }
            }}
          />
          <p className="hint">
            {draft.isExact
              ? 'Started as it is, without a shell: one argument a line.'
              : `Run by ${environment?.shell.path ?? 'your shell'}. Enter starts it, Shift+Enter makes a new line.`}
          </p>
        </div>
        <div className="field">
          <label htmlFor="new-cwd">Working directory</label>
          <input
            id="new-cwd"
            spellCheck={false}
            required
            value={draft.cwd}
            onChange={(event) => change({ cwd: event.target.value })}
          />
        </div>
        <div className="choices">
          <fieldset>
            <legend>Input and output</legend>
            <label>
              <input type="radio" name="tty" checked={draft.tty} onChange={() => change({ tty: true })} />
              Terminal
            </label>
            <label>
              <input type="radio" name="tty" checked={!draft.tty} onChange={() => change({ tty: false })} />
              Pipes
            </label>
            {draft.tty ? null : (
              <label>
                <input
                  type="checkbox"
                  checked={draft.pipeStdin}
                  onChange={(event) => change({ pipeStdin: event.target.checked })}
                />
                with stdin
              </label>
            )}
          </fieldset>
          <label className="exact">
            <input
              type="checkbox"
              checked={draft.isExact}
              onChange={(event) => change({ isExact: event.target.checked })}
            />
            Exact argv
          </label>
        </div>
        <div className="dialog-buttons">
          <button type="button" className="secondary" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isStarting || !environment}>
            Start
          </button>
        </div>
      </form>
    </dialog>
  );
}

function pathOf(uri: string): string {
  return decodeURIComponent(new URL(uri).pathname);
}
