// One agent in the report of an absence: a heading with counts, and a list for each outcome.
import { Check, Hand, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Approval } from '../../../protocol/approvals.ts';
import type { HistoryEntry } from '../../../protocol/history.ts';
import { clockText, durationText } from '../../../text/amounts.ts';
import { elapsedMs } from '../../../text/process-words.ts';
import { outcomeText, reasonText, requestName } from '../../state/approvals/request-words.ts';
import type { AgentReport } from '../../state/attention/away-report.ts';
import { countText } from '../../state/processes/process-counts.ts';
import { Subject } from '../dialogs/history-rows.tsx';

const FIRST_ROWS = 5;
/** Number of rows added by one click. */
const MORE_ROWS = 100;

interface AgentSectionProps {
  readonly report: AgentReport;
  /** Name of the page's user. */
  readonly own: string | null;
  readonly nowMs: number;
  readonly onOpen: (entry: HistoryEntry) => void;
  /** Shows the card of a waiting request. */
  readonly onRequest: (id: string) => void;
}

export function AgentSection({ report, own, nowMs, onOpen, onRequest }: AgentSectionProps) {
  const { agent, waiting, requests, failed, stopped, succeeded, decided, running } = report;
  const process = (entry: HistoryEntry): ReactNode => (
    <ProcessRow key={entry.key} entry={entry} nowMs={nowMs} onOpen={onOpen} />
  );
  const request = (each: Approval): ReactNode => (
    <RequestRow key={each.id} request={each} own={own} onOpen={onRequest} />
  );
  const counts = [
    countText(waiting.length + requests.length, 'waiting'),
    countText(failed.length, 'failed'),
    countText(stopped.length, 'stopped'),
    countText(succeeded.length, 'succeeded'),
    countText(running, 'running'),
  ];
  return (
    <section className="away-agent-report" aria-label={agent}>
      <h3>
        {agent} <span className="away-counts">{counts.filter(Boolean).join(' · ')}</span>
      </h3>
      <Outcome name="Waiting for approval" rows={requests} row={request} />
      <Outcome name="Waiting for input" rows={waiting} row={process} />
      <Outcome name="Failed" rows={failed} row={process} />
      <Outcome name="Stopped" rows={stopped} row={process} />
      <Outcome name="Approvals" rows={decided} row={request} />
      <Outcome name="Succeeded" rows={succeeded} row={process} />
    </section>
  );
}

interface OutcomeProps<T> {
  readonly name: string;
  readonly rows: readonly T[];
  readonly row: (row: T) => ReactNode;
}

function Outcome<T>({ name, rows, row }: OutcomeProps<T>) {
  const [most, setMost] = useState(FIRST_ROWS);
  if (rows.length === 0) return null;
  const hidden = rows.length - most;
  return (
    <>
      <h4>{name}</h4>
      <ul aria-label={name}>
        {rows.slice(0, most).map(row)}
        {hidden > 0 ? (
          <li>
            <button type="button" className="link-button" onClick={() => setMost(most + MORE_ROWS)}>
              {countText(hidden, 'more')}
            </button>
          </li>
        ) : null}
      </ul>
    </>
  );
}

interface ProcessRowProps {
  readonly entry: HistoryEntry;
  readonly nowMs: number;
  readonly onOpen: (entry: HistoryEntry) => void;
}

function ProcessRow({ entry, nowMs, onOpen }: ProcessRowProps) {
  return (
    <li>
      <button type="button" className="history-row" onClick={() => onOpen(entry)}>
        <Subject entry={entry} />
        <span className="history-took">{durationText(elapsedMs(entry, nowMs))}</span>
      </button>
    </li>
  );
}

interface RequestRowProps {
  readonly request: Approval;
  readonly own: string | null;
  readonly onOpen: (id: string) => void;
}

function RequestRow({ request, own, onOpen }: RequestRowProps) {
  const isWaiting = request.state === 'waiting';
  const Icon = isWaiting ? Hand : request.state === 'accepted' ? Check : X;
  const cells = (
    <>
      <span className="history-clock">{clockText(request.decidedAtMs ?? request.createdAtMs, true)}</span>
      <Icon className="away-decision" data-state={request.state} size={14} aria-hidden="true" />
      <span className="history-command">{requestName(request)}</span>
      <span className="history-by">
        <span className="history-outcome">{isWaiting ? reasonText(request) : outcomeText(request, own)}</span>
      </span>
    </>
  );
  return (
    <li>
      {isWaiting ? (
        <button type="button" className="history-row" onClick={() => onOpen(request.id)}>
          {cells}
        </button>
      ) : (
        <div className="history-row">{cells}</div>
      )}
    </li>
  );
}
