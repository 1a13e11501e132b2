// Report of an absence, by agent: processes that are waiting, and those that failed, were stopped or succeeded since a
// given time, and decisions.
import { X } from 'lucide-react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Approval } from '../../../protocol/approvals.ts';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { dateTimeText, numberText } from '../../../text/amounts.ts';
import { visible } from '../../../text/visible.ts';
import { useConsole } from '../../parts/console-context.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { useModal } from '../../parts/modal.tsx';
import { useOwnName } from '../../parts/use-own-name.tsx';
import { goToRequest } from '../../state/approvals/request-view.ts';
import { attentionStore } from '../../state/attention/attention-store.ts';
import { awayReport } from '../../state/attention/away-report.ts';
import { openPane } from '../../state/layout/layout-store.ts';
import type { HistoryState } from '../../state/processes/history-reader.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { NO_QUERY } from '../../state/processes/search-query.ts';
import { AgentSection } from './away-rows.tsx';
import { StaleNote } from '../dialogs/stale-note.tsx';
import { useHistoryReader } from '../dialogs/use-history-reader.tsx';

/** Number of processes after which the report loads no further pages. */
const MOST_ENTRIES = 5000;
const HOUR_MS = 60 * 60_000;
const SPANS = [
  { name: 'Last hour', ms: HOUR_MS },
  { name: 'Last 24 hours', ms: 24 * HOUR_MS },
  { name: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
];

interface AwayDialogProps {
  readonly onClose: () => void;
  /** Called before a process is shown in its pane. */
  readonly onOpened: () => void;
}

export function AwayDialog({ onClose, onOpened }: AwayDialogProps) {
  const { client } = useConsole();
  const dialog = useModal();
  const [openedMs] = useState(() => Date.now());
  const lastHereMs = useStore(attentionStore, (state) => state.lastHereMs);
  const spans = useMemo(
    () => [
      ...(lastHereMs === null
        ? []
        : [{ name: `Since your last visit, ${dateTimeText(lastHereMs).slice(0, 16)}`, sinceMs: lastHereMs }]),
      ...SPANS.map(({ name, ms }) => ({ name, sinceMs: openedMs - ms })),
    ],
    [lastHereMs, openedMs],
  );
  const [chosen, choose] = useState<number | null>(null);
  const sinceMs = chosen ?? spans[0]?.sinceMs ?? openedMs;
  const filter = useMemo(() => ({ sinceMs }), [sinceMs]);
  const reader = useHistoryReader(filter, NO_QUERY);
  const state = useSyncExternalStore(reader.subscribe, reader.current);
  const { entries, hasMore, isReading, problem } = state;
  useEffect(() => {
    if (hasMore && !isReading && problem === null && entries.length > 0 && entries.length < MOST_ENTRIES)
      void reader.more();
  }, [reader, entries, hasMore, isReading, problem]);
  const approvals = useApprovals();
  const report = useMemo(() => awayReport(entries, approvals, sinceMs), [entries, approvals, sinceMs]);
  const own = useOwnName();
  const open = (entry: HistoryEntry): void => {
    // Close the dialog first, since nothing behind it can take the focus.
    onOpened();
    client.processes.remember(entry);
    openPane(entry.key);
  };
  return (
    <dialog ref={dialog} className="dialog history away" aria-labelledby="report-title" onClose={onClose}>
      <header className="record-head">
        <h2 id="report-title">While you were away</h2>
        <IconButton icon={X} label="Close" hint="Close (Esc)" onClick={() => dialog.current?.close()} />
      </header>
      <div className="history-filters">
        <label className="away-since">
          <span>Period</span>
          <select
            autoFocus
            aria-label="Period"
            value={sinceMs}
            onChange={(event) => choose(Number(event.target.value))}
          >
            {spans.map((span) => (
              <option key={span.name} value={span.sinceMs}>
                {span.name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {problem === null ? null : (
        <p role="alert" className="dialog-problem">
          {visible(problem)}
        </p>
      )}
      <StaleNote state={state} reader={reader} />
      <div className="history-body" data-empty={report.length === 0}>
        {report.map((agent) => (
          <AgentSection
            key={agent.agent}
            report={agent}
            own={own}
            nowMs={openedMs}
            onOpen={open}
            onRequest={(id) => {
              onClose();
              goToRequest(id);
            }}
          />
        ))}
      </div>
      <p role="status" className="hint history-status">
        {statusLine(state, report.length)}
      </p>
    </dialog>
  );
}

function statusLine({ problem, entries, isReading, hasMore }: HistoryState, agents: number): string {
  if (problem !== null) return '';
  if (isReading && entries.length === 0) return 'Reading …';
  if (entries.length >= MOST_ENTRIES && hasMore)
    return `Only the newest ${numberText(entries.length)} processes are listed.`;
  return agents === 0 ? 'Nothing ran during this time.' : '';
}

/** Returns the gateway's requests, including decided ones; an empty list until they have been read. */
function useApprovals(): readonly Approval[] {
  const { client } = useConsole();
  const connection = useStore(processStore, (state) =>
    state.connection.kind === 'online' ? state.connection.connection : null,
  );
  const [approvals, setApprovals] = useState<readonly Approval[]>([]);
  useEffect(() => {
    let isGone = false;
    if (connection === null) return undefined;
    client.connection.request('console/approvals', { all: true }).then(
      (result) => {
        if (!isGone) setApprovals(result.approvals);
      },
      // A gateway without approvals has none to report.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [client, connection]);
  return approvals;
}
