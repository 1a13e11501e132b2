// Form that starts a process: command and folder first, then less common fields, with saved commands one click away.
import { useRef, useState, type FormEvent } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { openPane } from '../../state/layout/layout-store.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { refusalSentence, refusalText } from '../../state/page/refusal.ts';
import { useModal } from '../../parts/modal.tsx';
import { showProblem } from '../../state/page/page-store.ts';
import { CommandField } from './command-field.tsx';
import { rememberStarted, type FormerCommand } from '../../state/starting/command-history.ts';
import {
  draftLike,
  lostBySaving,
  emptyDraft,
  runnerOf,
  whatIsMissing,
  withoutModel,
  type Draft,
  type Model,
} from '../../state/starting/draft.ts';
import { forbiddenText } from '../../state/starting/forbidden.ts';
import { pathOf } from '../../state/starting/folder-completion.ts';
import { FolderField } from './folder-field.tsx';
import { MoreFields } from './more-fields.tsx';
import { SaveLine } from './save-line.tsx';
import { SavedRow } from './saved-row.tsx';
import { savedCommands, type SavedCommand } from '../../state/starting/saved-commands.ts';
import { startProcess } from '../../state/starting/start-process.ts';
import { whyNotStart } from '../../state/processes/why-not-start.ts';

interface NewProcessDialogProps {
  /** Key of the process to duplicate; null for a new command. */
  readonly like: string | null;
  /** Name of the saved command that fills the form; null for none, which is the default. */
  readonly saved?: string | null;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

export function NewProcessDialog({
  like,
  saved: savedName = null,
  onClose,
  onStarted,
}: NewProcessDialogProps) {
  const { client, terminals } = useConsole();
  const dialog = useModal();
  const environment = useStore(processStore, ({ connection }) =>
    connection.kind === 'online' ? connection.environment : null,
  );
  const [former] = useState(() => (like === null ? undefined : processStore.getState().processes[like]));
  const isRestartable = useStore(
    processStore,
    ({ processes }) => processes[former?.key ?? '']?.restartable ?? false,
  );
  const model = former && { ...former, restartable: isRestartable };
  const refusal = useStore(processStore, ({ connection }) => whyNotStart(connection));
  const [wanted] = useState(() => savedCommands.getState().saved.find(({ name }) => name === savedName));
  const [draft, setDraft] = useState<Draft>(() =>
    former ? draftLike(former) : (wanted?.draft ?? emptyDraft(environment ? pathOf(environment.cwd) : '/')),
  );
  const [isMore, showMore] = useState(
    wanted !== undefined || (former !== undefined && (former.sandbox !== 'none' || !former.restartable)),
  );
  /** True when the person has accepted the gateway's environment because the original's is no longer known. */
  const [hasOwnEnv, setOwnEnv] = useState(false);
  /** Names of the variables of a recently used command, whose values were not stored. */
  const [missing, setMissing] = useState<readonly string[]>([]);
  /** Name suggested in the field for saving; null while that field is hidden. */
  const [saving, setSaving] = useState<string | null>(null);
  const [edited, setEdited] = useState(wanted?.name ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  /** Draft for which a warning was shown, because a rule forbids agents to run its command. */
  const [warned, setWarned] = useState<Draft | null>(null);
  const [isStarting, setStarting] = useState(false);
  const isUnderWay = useRef(false);
  const whyIncomplete = (of: Draft): string | null =>
    whatIsMissing(of, model) ??
    (model && !model.restartable && !hasOwnEnv
      ? 'The original’s environment is no longer retained: accept the gateway’s environment under “More”.'
      : null);
  const notChosen = whyIncomplete(draft);
  const change = (changed: Partial<Draft>): void => {
    setDraft((current) => ({ ...current, ...changed }));
    setProblem(null);
  };

  async function start(wanted: Draft): Promise<void> {
    // The ref prevents two starts on a double Enter; state would change only on the next render.
    if (isUnderWay.current) return;
    const incomplete = whyIncomplete(wanted);
    if (incomplete !== null) showMore(true);
    const whyNot = incomplete ?? refusal;
    if (whyNot !== null) {
      setProblem(whyNot);
      return;
    }
    isUnderWay.current = true;
    setProblem(null);
    setStarting(true);
    try {
      const warning = warned === wanted ? null : await forbiddenText(client, wanted, model);
      if (warning !== null) {
        setWarned(wanted);
        throw new Error(warning);
      }
      // Further keys go to the terminal, so its module must be loaded.
      const [key] = await Promise.all([startProcess(client, wanted, model), terminals.load()]);
      rememberStarted(withoutModel(wanted, model));
      if (!dialog.current) {
        // The process of a start that was cancelled too late appears in the list, but gets no pane and no focus.
        showProblem('The process is running: the start had already been sent when you cancelled.');
        return;
      }
      // Close the dialog first: nothing behind it can take the focus.
      onStarted();
      openPane(key);
    } catch (error) {
      if (!dialog.current) showProblem(`The start that you cancelled failed: ${refusalText(error)}`);
      setProblem(refusalSentence(error));
      setStarting(false);
      isUnderWay.current = false;
    }
  }

  function edit({ name, draft: saved }: SavedCommand): void {
    setDraft(saved);
    setEdited(name);
    setMissing([]);
    setProblem(null);
    showMore(true);
  }

  function takeFormer({ variableNames, ...stored }: FormerCommand): void {
    // Keep the variables already typed and, in a duplicate, the sandbox: only a new command gets the stored one.
    change({ ...stored, variables: draft.variables, ...(model && { sandbox: draft.sandbox }) });
    setMissing(variableNames);
    if (variableNames.length > 0 || stored.sandbox === null) showMore(true);
  }

  return (
    <dialog
      ref={dialog}
      className="dialog tall new-process"
      aria-labelledby="new-process-title"
      onClose={onClose}
    >
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void start(draft);
        }}
      >
        <h2 id="new-process-title">{like === null ? 'New process' : 'Duplicate and edit'}</h2>
        {model ? (
          <p className="hint">
            {model.restartable
              ? 'The original’s environment and sandbox are used; change them under “More”.'
              : 'The original’s settings are no longer retained: choose a sandbox and an environment under “More”.'}
          </p>
        ) : (
          <SavedRow
            onStart={(saved) => {
              // A command saved without its sandbox is edited first, so that the person chooses one.
              if (whatIsMissing(saved.draft) === null) void start(saved.draft);
              else edit(saved);
            }}
            onEdit={(saved) => {
              edit(saved);
              setSaving(saved.name);
            }}
          />
        )}
        {problem ? (
          <p role="alert" className="dialog-problem">
            {problem}
          </p>
        ) : null}
        <CommandField
          draft={draft}
          hint={runHint(draft, environment?.shell.path ?? null, model)}
          onChange={(command) => change({ command })}
          onFormer={takeFormer}
        />
        <div className="field">
          <label htmlFor="new-cwd">Folder</label>
          <FolderField
            id="new-cwd"
            value={draft.cwd}
            home={environment ? pathOf(environment.userHomeDir) : '/'}
            onChange={(cwd) => change({ cwd })}
          />
        </div>
        <StreamChoice draft={draft} onChange={change} />
        <MoreFields
          draft={draft}
          model={model}
          hasOwnEnv={hasOwnEnv}
          isOpen={isMore}
          missing={missing}
          onToggle={showMore}
          onChange={change}
          onOwnEnv={(isOwn) => {
            setOwnEnv(isOwn);
            setProblem(null);
          }}
        />
        {saving === null ? null : (
          <SaveLine
            key={saving}
            draft={withoutModel(draft, model)}
            name={saving}
            lost={lostBySaving(draft, model)}
            onDone={(name) => {
              setSaving(null);
              if (name !== null) setEdited(name);
            }}
          />
        )}
        <div className="dialog-buttons">
          {notChosen === null && refusal === null ? null : (
            <p id="not-started" className="not-started">
              {notChosen ?? refusal}
            </p>
          )}
          {saving === null ? (
            <button
              type="button"
              className="link-button save-it"
              disabled={draft.command.trim() === ''}
              onClick={() => setSaving(edited)}
            >
              Save command …
            </button>
          ) : null}
          <button type="button" className="secondary" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            type="submit"
            className="primary"
            disabled={isStarting || notChosen !== null || refusal !== null}
            aria-describedby={notChosen === null && refusal === null ? undefined : 'not-started'}
          >
            Start
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Returns the hint below the command field: how the command will be run and, unless it is an exact argv, the keys. */
function runHint(draft: Draft, shell: string | null, model?: Model): string {
  if (draft.isExact) return 'Runs without a shell: one argument per line.';
  const runner = runnerOf(draft, shell, model);
  const keys = 'Enter starts the process; Shift+Enter adds a line.';
  return runner === null
    ? `Runs without a shell, as the original did; after an edit, it runs with ${shell ?? 'the gateway’s shell'} -c. ${keys}`
    : `Runs with ${runner}. ${keys}`;
}

interface StreamChoiceProps {
  readonly draft: Draft;
  readonly onChange: (changed: Partial<Draft>) => void;
}

function StreamChoice({ draft, onChange }: StreamChoiceProps) {
  return (
    <div className="choices">
      <fieldset>
        <legend>Input and output</legend>
        <label>
          <input type="radio" name="tty" checked={draft.tty} onChange={() => onChange({ tty: true })} />
          Terminal
        </label>
        <label>
          <input type="radio" name="tty" checked={!draft.tty} onChange={() => onChange({ tty: false })} />
          Pipes
        </label>
        {draft.tty ? null : (
          <label>
            <input
              type="checkbox"
              checked={draft.pipeStdin}
              onChange={(event) => onChange({ pipeStdin: event.target.checked })}
            />
            With stdin
          </label>
        )}
      </fieldset>
    </div>
  );
}
