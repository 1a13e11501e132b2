// Dialog with the audit log of one or all processes: live, filtered by person and action, and saved as a file.
import { Download, X } from 'lucide-react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { useConsole } from '../../parts/console-context.tsx';
import { recordLine } from './record-line.ts';
import { saveBlob } from '../../screen/download/save-blob.ts';
import { processName } from '../../../text/command-line.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { useModal } from '../../parts/modal.tsx';
import { DialogNotices } from '../../parts/page-notices.tsx';
import { showProblem } from '../../state/page/page-store.ts';
import { visible } from '../../../text/visible.ts';
import { ACTS } from '../../state/processes/act-words.ts';
import { RecordReader, type RecordFilter } from '../../state/processes/record-reader.ts';
import { RecordRows } from './record-rows.tsx';

/** Interval between requests for new entries. */
const LOOK_MS = 1000;

const OFFLINE = 'The audit log is on the gateway: it can be read once the connection is back.';

interface RecordDialogProps {
  /** Key of the process; null for all processes. */
  readonly processKey: string | null;
  readonly onClose: () => void;
}

export function RecordDialog({ processKey, onClose }: RecordDialogProps) {
  const dialog = useModal();
  const [key, setKey] = useState(processKey);
  const [who, setWho] = useState('');
  const [act, setAct] = useState('');
  const filter = useMemo<RecordFilter>(
    () => ({ ...(key !== null && { key }), ...(who !== '' && { who }), ...(act !== '' && { act }) }),
    [key, who, act],
  );
  const reader = useReader(filter);
  const state = useSyncExternalStore(reader.subscribe, reader.current);
  const names = useNames(state.entries.map((entry) => entry.who));
  const { problem } = state;
  return (
    <dialog ref={dialog} className="dialog record" aria-labelledby="record-title" onClose={onClose}>
      <header className="record-head">
        <h2 id="record-title">Audit log</h2>
        <IconButton icon={X} label="Close" hint="Close (Esc)" onClick={() => dialog.current?.close()} />
      </header>
      <div className="record-filters">
        <label>
          <span>Who</span>
          <select aria-label="Who" value={who} onChange={(event) => setWho(event.target.value)}>
            <option value="">Everyone</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {visible(name)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>What</span>
          <select aria-label="What" value={act} onChange={(event) => setAct(event.target.value)}>
            <option value="">Everything</option>
            {ACTS.map((each) => (
              <option key={each.act} value={each.act}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
        {key === null ? null : <OfProcess processKey={key} onAll={() => setKey(null)} />}
        <button
          type="button"
          className="secondary small record-export"
          onClick={() =>
            void exportAll(reader).then(
              () => showProblem(null),
              (error: unknown) => showProblem(errorSentence(error)),
            )
          }
        >
          <Download size={14} aria-hidden="true" />
          Export
        </button>
      </div>
      {problem === null ? null : (
        <p role="alert" className="dialog-problem">
          {visible(problem)}
        </p>
      )}
      {state.entries.length > 0 ? (
        <RecordRows
          state={state}
          reader={reader}
          hasProcess={key === null}
          onOpened={() => dialog.current?.close()}
        />
      ) : (
        <p className="record-empty" role="status">
          {!state.isRead
            ? 'Reading …'
            : who === '' && act === ''
              ? key === null
                ? 'The audit log is empty.'
                : 'There are no entries about this process yet.'
              : 'No entry matches these filters.'}
        </p>
      )}
      <div>
        <DialogNotices />
        <p className="hint record-note">
          This list shows at most the newest 20,000 entries; older ones are in <code>audit.jsonl</code> and{' '}
          <code>audit-visits.jsonl</code> in the gateway’s state folder. Typed text is never logged, only its
          length.
        </p>
      </div>
    </dialog>
  );
}

function OfProcess({ processKey, onAll }: { readonly processKey: string; readonly onAll: () => void }) {
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const name = info ? processName(info) : processKey;
  return (
    <span className="record-subject">
      <span className="record-subject-name" title={name}>
        {name}
      </span>
      <IconButton icon={X} label="Show the audit log of all processes" onClick={onAll} />
    </span>
  );
}

/** Returns a reader: a new one for each filter and connection, since a restarted gateway numbers its entries anew. */
function useReader(filter: RecordFilter): RecordReader {
  const { client } = useConsole();
  const connection = useStore(processStore, (state) =>
    state.connection.kind === 'online' ? state.connection.connection : null,
  );
  const reader = useMemo(
    () =>
      new RecordReader(
        (params) =>
          connection === null
            ? Promise.reject(new Error(OFFLINE))
            : client.connection.request('console/audit', params),
        filter,
      ),
    [client, filter, connection],
  );
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') void reader.look();
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [reader]);
  return reader;
}

/** Returns all names seen since the dialog was opened, so that choosing one does not remove the others. */
function useNames(present: readonly string[]): readonly string[] {
  const people = useStore(processStore, (state) => state.people);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const fresh = [...people.map(({ name }) => name), ...present].filter(
    (name) => name !== '' && !seen.has(name),
  );
  if (fresh.length > 0) setSeen(new Set([...seen, ...fresh]));
  return [...seen].toSorted((one, other) => one.localeCompare(other));
}

async function exportAll(reader: RecordReader): Promise<void> {
  const parts: string[] = [];
  for await (const page of reader.all()) {
    parts.unshift(`${page.map(recordLine).toReversed().join('\n')}\n`);
  }
  const day = new Date().toISOString().slice(0, 10);
  saveBlob(new Blob(parts, { type: 'application/x-ndjson' }), `exec-console-record-${day}.jsonl`);
}
