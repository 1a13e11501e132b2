// History: everything that ran, including before the gateway's last start, in order, with a search in the output.
import { X } from 'lucide-react';
import { useCallback, useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { HistoryEntry, HistoryHit } from '../../../protocol/history.ts';
import { statusOf } from '../../../text/process-words.ts';
import { visible } from '../../../text/visible.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { useModal } from '../../parts/modal.tsx';
import { openPane } from '../../state/layout/layout-store.ts';
import type { HistoryFilter, HistoryState } from '../../state/processes/history-reader.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { DeleteRecording } from './delete-recording.tsx';
import { FoundLines, ProcessRows } from './history-rows.tsx';
import { RangeLine } from '../timeline/range-line.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { useTimeline } from '../timeline/use-timeline.tsx';
import { useHistoryReader } from './use-history-reader.tsx';

const LAST_MS = 10 * 60_000;

interface HistoryDialogProps {
  readonly onClose: () => void;
  /** Called before a process is shown in its pane. */
  readonly onOpened: () => void;
}

export function HistoryDialog({ onClose, onOpened }: HistoryDialogProps) {
  const { client, terminals } = useConsole();
  const dialog = useModal();
  const [nowMs] = useState(() => Date.now());
  const [isRecent, setRecent] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const [agent, setAgent] = useState('');
  const [text, setText] = useState('');
  const filter = useMemo<HistoryFilter>(
    () => ({
      ...(isRecent && { sinceMs: nowMs - LAST_MS }),
      ...(isFailed && { failed: true }),
      ...(agent !== '' && { agent }),
    }),
    [isRecent, isFailed, agent, nowMs],
  );
  const reader = useHistoryReader(filter, text);
  const state = useSyncExternalStore(reader.subscribe, reader.current);
  const usual = useMemo(
    () => (isRecent ? { fromMs: nowMs - LAST_MS, toMs: nowMs } : null),
    [isRecent, nowMs],
  );
  const more = useCallback(() => void reader.more(), [reader]);
  const timeline = useTimeline({ state, usual, more });
  const { view, selection, within } = timeline;
  // The rows are updated with lower priority, since the timeline itself must follow the pointer.
  const rows = useDeferredValue(within);
  const axis = useDeferredValue(selection ?? view);
  const mayDelete = useStore(
    processStore,
    ({ connection }) => connection.kind === 'online' && connection.role === 'admin',
  );
  const [asked, setAsked] = useState<HistoryEntry | null>(null);
  const agents = useAgents(state.entries);
  const open = useCallback(
    (entry: HistoryEntry, hit?: HistoryHit): void => {
      // Close the dialog first: nothing behind it can take the focus.
      onOpened();
      client.processes.remember(entry);
      openPane(entry.key);
      if (hit)
        terminals.goTo({
          key: entry.key,
          offset: hit.offset,
          text: hit.text.slice(Math.max(0, hit.start - 20)),
        });
    },
    [client, terminals, onOpened],
  );
  const list = (
    <dialog ref={dialog} className="dialog history" aria-labelledby="history-title" onClose={onClose}>
      <header className="record-head">
        <h2 id="history-title">History</h2>
        <IconButton icon={X} label="Close" hint="Close (Esc)" onClick={() => dialog.current?.close()} />
      </header>
      <div className="history-filters">
        <input
          type="text"
          enterKeyHint="search"
          autoFocus
          aria-label="Search in recorded output"
          placeholder="Search in recorded output"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="button" className="chip" aria-pressed={isRecent} onClick={() => setRecent(!isRecent)}>
          Last 10 min
        </button>
        <button type="button" className="chip" aria-pressed={isFailed} onClick={() => setFailed(!isFailed)}>
          Failed
        </button>
        <select aria-label="Agent" value={agent} onChange={(event) => setAgent(event.target.value)}>
          <option value="">All agents</option>
          {agents.map((name) => (
            <option key={name} value={name}>
              {visible(name)}
            </option>
          ))}
        </select>
      </div>
      {state.problem === null ? null : (
        <p role="alert" className="dialog-problem">
          {visible(state.problem)}
        </p>
      )}
      {text === '' && timeline.entries.length > 0 ? (
        <Timeline
          entries={timeline.entries}
          view={view}
          selection={selection}
          nowMs={timeline.nowMs}
          onView={timeline.setView}
          onSelection={timeline.setSelection}
          onOpen={open}
        />
      ) : null}
      {text === '' && selection ? (
        <RangeLine
          range={selection}
          count={within.length}
          failed={within.filter((entry) => statusOf(entry) === 'failed').length}
          onZoom={(span) => {
            timeline.setSelection(null);
            timeline.setView(span);
          }}
          onClear={() => timeline.setSelection(null)}
        />
      ) : null}
      <div className="history-body" data-empty={state.entries.length === 0 && text === ''}>
        {text === '' ? (
          <ProcessRows
            entries={rows}
            nowMs={timeline.nowMs}
            axis={axis}
            onOpen={open}
            onDelete={mayDelete ? setAsked : null}
          />
        ) : (
          <FoundLines entries={state.entries} hits={state.hits} onOpen={open} />
        )}
        {state.hasMore && !state.isReading && state.problem === null ? (
          <button type="button" className="secondary small history-more" onClick={() => void reader.more()}>
            {text === '' ? 'Show earlier processes' : 'Continue search'}
          </button>
        ) : null}
      </div>
      <p role="status" className="hint history-status">
        <span>{statusLine(state, text, Object.keys(filter).length > 0)}</span>
        {state.isReading && text !== '' ? (
          <button type="button" className="link-button" onClick={() => reader.stop()}>
            Stop
          </button>
        ) : null}
      </p>
    </dialog>
  );
  return (
    <>
      {list}
      {/* Rendered outside the history dialog, since its close event would be mistaken for that dialog's. */}
      {asked ? (
        <DeleteRecording
          entry={asked}
          onDelete={() => void reader.remove(asked.key)}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  );
}

function statusLine(
  { problem, entries, hits, searched, isReading, hasMore }: HistoryState,
  text: string,
  isFiltered: boolean,
): string {
  if (problem !== null) return '';
  if (text !== '') {
    const share = `${Math.floor(searched * 100)}% searched`;
    const found = hits.length === 1 ? '1 line' : `${hits.length}${hasMore ? '+' : ''} lines`;
    return isReading || hits.length > 0 ? `${found} · ${share}` : `No matching line · ${share}`;
  }
  if (isReading && entries.length === 0) return 'Reading …';
  if (entries.length === 0)
    return isFiltered
      ? 'No process matches these filters.'
      : 'Nothing is recorded yet. New processes appear here.';
  const count =
    entries.length === 1
      ? '1 process'
      : `${entries.length.toLocaleString('en')}${hasMore ? '+' : ''} processes`;
  return `${count}, newest first`;
}

/** Returns all names seen since the dialog was opened, so that choosing one does not remove the others. */
function useAgents(entries: readonly HistoryEntry[]): readonly string[] {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const fresh = entries.map(({ startedBy }) => startedBy).filter((name) => !seen.has(name));
  if (fresh.length > 0) setSeen(new Set([...seen, ...fresh]));
  return [...seen].toSorted((one, other) => one.localeCompare(other));
}
