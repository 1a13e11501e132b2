// Starting a process: a command line for the shell or exact words, where, and with a terminal or pipes.
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../console-context.tsx';
import type { ExecClient } from '../client/exec-client.ts';
import { openPane } from '../layout/layout-store.ts';
import { processStore } from './process-store.ts';

interface Draft {
  readonly command: string;
  readonly cwd: string;
  readonly isExact: boolean;
  readonly tty: boolean;
}

export function NewProcessDialog({
  onClose,
  onStarted,
}: {
  readonly onClose: () => void;
  readonly onStarted: () => void;
}) {
  const { client } = useConsole();
  const dialog = useRef<HTMLDialogElement>(null);
  const environment = useStore(processStore, ({ connection }) =>
    connection.kind === 'online' ? connection.environment : null,
  );
  const [draft, setDraft] = useState<Draft>({
    command: '',
    cwd: environment ? pathOf(environment.cwd) : '/',
    isExact: false,
    tty: true,
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [isStarting, setStarting] = useState(false);
  const change = (changed: Partial<Draft>): void => setDraft((current) => ({ ...current, ...changed }));

  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setProblem(null);
    setStarting(true);
    try {
      openPane(await start(client, draft));
      onStarted();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setStarting(false);
    }
  }

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="new-process-title" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="new-process-title">New process</h2>
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
            placeholder={draft.isExact ? 'one word of argv a line' : 'npm test'}
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
              ? 'Started as it is, without a shell: one word of argv a line.'
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
              <input type="radio" name="tty" checked={draft.tty} onChange={() => change({ tty: true })} />{' '}
              Terminal
            </label>
            <label>
              <input type="radio" name="tty" checked={!draft.tty} onChange={() => change({ tty: false })} />{' '}
              Pipes
            </label>
          </fieldset>
          <label className="exact">
            <input
              type="checkbox"
              checked={draft.isExact}
              onChange={(event) => change({ isExact: event.target.checked })}
            />{' '}
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

/** Starts it and gives its key; throws the gateway's reason when it cannot. */
async function start(client: ExecClient, { command, cwd, isExact, tty }: Draft): Promise<string> {
  const { state } = client.connection;
  if (state.kind !== 'online') throw new Error('There is no connection at the moment.');
  const argv = isExact
    ? command.split('\n').filter((word) => word !== '')
    : [state.environment.shell.path, '-lc', command];
  const { key } = await client.processes.start({
    argv,
    cwd,
    tty,
    ...(tty && { size: { rows: 24, cols: 80 } }),
  });
  return key;
}

function pathOf(uri: string): string {
  return decodeURIComponent(new URL(uri).pathname);
}
