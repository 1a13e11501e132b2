// History: all processes, newest first, including those from before the gateway's last start, with a search in
// the output.
import { X } from 'lucide-react';
import { useCallback, useDeferredValue, useMemo, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { HistoryEntry, HistoryHit } from '../../../protocol/history.ts';
import { errorSentence } from '../../../text/error-text.ts';
import { visible } from '../../../text/visible.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { showFound } from '../../parts/show-found.ts';
import { useModal } from '../../parts/modal.tsx';
import { DialogNotices } from '../../parts/page-notices.tsx';
import { openPane } from '../../state/layout/layout-store.ts';
import { showProblem } from '../../state/page/page-store.ts';
import { linesOfHistory } from '../../state/processes/found-lines.ts';
import { filterOf, historyQuery, LAST_MS, resetHistoryQuery } from '../../state/processes/history-query.ts';
import type { HistoryState } from '../../state/processes/history-reader.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { UNREAD_TEXT } from '../../state/processes/searchable.ts';
import type { TimeSpan } from '../../state/timeline/timeline-view.ts';
import { RemoveRecording } from './remove-recording.tsx';
import { HistoryFilters } from './history-filters.tsx';
import { FoundLines, ProcessRows } from './history-rows.tsx';
import { StaleNote } from './stale-note.tsx';
import { RangeLine } from '../timeline/range-line.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { useTimeline } from '../timeline/use-timeline.tsx';
import { useHistoryReader } from './use-history-reader.tsx';
import { numberText } from '../../../text/amounts.ts';

const setRange = (range: TimeSpan | null): void => historyQuery.setState({ range });

interface HistoryDialogProps {
  readonly onClose: () => void;
  /** Called before a process is shown in its pane. */
  readonly onOpened: () => void;
}

export function HistoryDialog({ onClose, onOpened }: HistoryDialogProps) {
  const { client, terminals } = useConsole();
  const dialog = useModal();
  const asked = useStore(historyQuery);
  const { text, isRegex, isCaseSensitive, sinceMs, isFailed, agent, folder, range } = asked;
  const query = useMemo(() => ({ text, isRegex, isCaseSensitive }), [text, isRegex, isCaseSensitive]);
  const searchedRange = text === '' ? null : range;
  const filter = useMemo(
    () => filterOf({ text, sinceMs, isFailed, agent, folder, range: searchedRange }),
    [text, sinceMs, isFailed, agent, folder, searchedRange],
  );
  const reader = useHistoryReader(filter, query);
  const state = useSyncExternalStore(reader.subscribe, reader.current);
  const usual = useMemo(
    () => (sinceMs === null ? null : { fromMs: sinceMs, toMs: sinceMs + LAST_MS }),
    [sinceMs],
  );
  const more = useCallback(() => void reader.more(), [reader]);
  const timeline = useTimeline({ state, usual, selection: range, more });
  const { view, within } = timeline;
  // The rows are updated with lower priority, so that the timeline follows the pointer without delay.
  const rows = useDeferredValue(within);
  const axis = useDeferredValue(range ?? view);
  const mayRemove = useStore(
    processStore,
    ({ connection }) => connection.kind === 'online' && connection.role === 'admin',
  );
  const remove = (key: string): void => {
    reader.remove(key).catch((error: unknown) => showProblem(errorSentence(error)));
  };
  const [removing, setRemoving] = useState<HistoryEntry | null>(null);
  const open = useCallback(
    (entry: HistoryEntry): void => {
      // Close the dialog first: nothing behind it can take the focus.
      onOpened();
      resetHistoryQuery();
      client.processes.remember(entry);
      openPane(entry.key);
    },
    [client, onOpened],
  );
  const openHit = (hit: HistoryHit): void => {
    const lines = linesOfHistory(state.entries, state.hits);
    const at = lines.findIndex(({ key, offset }) => key === hit.key && offset === hit.offset);
    onOpened();
    resetHistoryQuery();
    showFound({ client, terminals }, { asked, query: text, lines, at, reader });
  };
  const close = (): void => {
    resetHistoryQuery();
    onClose();
  };
  const moreText = text === '' ? 'Show earlier processes' : 'Continue search';
  const list = (
    <dialog ref={dialog} className="dialog history" aria-labelledby="history-title" onClose={close}>
      <header className="record-head">
        <h2 id="history-title">History</h2>
        <IconButton icon={X} label="Close" hint="Close (Esc)" onClick={() => dialog.current?.close()} />
      </header>
      <HistoryFilters query={asked} entries={state.entries} />
      {state.problem === null ? null : (
        <p role="alert" className="dialog-problem">
          {visible(state.problem)}
        </p>
      )}
      <StaleNote state={state} reader={reader} />
      {text === '' && timeline.entries.length > 0 ? (
        <Timeline
          entries={timeline.entries}
          view={view}
          selection={range}
          nowMs={timeline.nowMs}
          onView={timeline.setView}
          onSelection={setRange}
          onOpen={open}
        />
      ) : null}
      {range ? (
        <RangeLine
          range={range}
          within={text === '' ? within : null}
          onZoom={(span) => {
            setRange(null);
            timeline.setView(span);
          }}
          onClear={() => setRange(null)}
        />
      ) : null}
      <div className="history-body" data-empty={state.entries.length === 0 && text === ''}>
        {text === '' ? (
          <ProcessRows
            entries={rows}
            nowMs={timeline.nowMs}
            axis={axis}
            onOpen={open}
            onRemove={mayRemove ? setRemoving : null}
          />
        ) : (
          <FoundLines entries={state.entries} hits={state.hits} onOpen={openHit} />
        )}
        {state.hasMore && !state.isReading ? (
          <button type="button" className="secondary small history-more" onClick={() => void reader.more()}>
            {state.problem === null ? moreText : 'Try again'}
          </button>
        ) : null}
      </div>
      <div>
        <DialogNotices />
        <p role="status" className="hint history-status">
          <span>{statusLine(state, text, Object.keys(filter).length > 0)}</span>
          {state.isReading && text !== '' ? (
            <button type="button" className="link-button" onClick={() => reader.stop()}>
              Stop search
            </button>
          ) : null}
        </p>
      </div>
    </dialog>
  );
  return (
    <>
      {list}
      {/* The confirmation is outside the history dialog, which would also react to its close event. */}
      {removing && state.entries.some(({ key }) => key === removing.key) ? (
        <RemoveRecording
          entry={removing}
          onRemove={() => remove(removing.key)}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </>
  );
}

function statusLine(
  { problem, entries, hits, searched, isComplete, isReading, hasMore }: HistoryState,
  text: string,
  isFiltered: boolean,
): string {
  if (problem !== null) return '';
  if (text !== '') {
    const unread = isComplete ? '' : UNREAD_TEXT;
    const share = `${Math.floor(searched * 100)}% searched${unread}`;
    const found = hits.length === 1 ? '1 line' : `${numberText(hits.length)}${hasMore ? '+' : ''} lines`;
    return isReading || hits.length > 0 ? `${found} · ${share}` : `No results · ${share}`;
  }
  if (isReading && entries.length === 0) return 'Reading …';
  if (entries.length === 0)
    return isFiltered
      ? 'No process matches these filters.'
      : 'Nothing is recorded yet. New processes appear here.';
  const count =
    entries.length === 1 ? '1 process' : `${numberText(entries.length)}${hasMore ? '+' : ''} processes`;
  return `${count}, newest first`;
}
