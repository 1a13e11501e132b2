// Rows of history: processes on a time axis, and lines found by a search.
import { Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import type { HistoryEntry, HistoryHit } from '../../../protocol/history.ts';
import { bytesText, clockText, dateTimeText, durationText, numberText } from '../../../text/amounts.ts';
import { commandLine, shortCommand } from '../../../text/command-line.ts';
import { stateText, statusOf } from '../../../text/process-words.ts';
import { agentTitle } from '../../../text/client-title.ts';
import { visible } from '../../../text/visible.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { StatusIcon } from '../../parts/status-icon.tsx';
import { runsOfHits } from '../../state/processes/found-lines.ts';
import { hitText } from '../../state/processes/output-search.ts';
import { barOf, byDay, endOf, type Axis } from '../../state/processes/history-time.ts';

/** Length of an axis below which its end labels include seconds. */
const EXACT_BELOW_MS = 30 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Number of rows shown initially, and added by each click on “Show more”. */
const FIRST_ROWS = 200;

/** Returns the reason why a recording cannot be removed; null when it can. */
function whyNotRemoved({ state, recordedBytes }: HistoryEntry): string | null {
  if (state === 'running') return 'A recording can be removed once its process has ended';
  return recordedBytes === 0 ? 'This process has no recording' : null;
}

interface ProcessRowsProps {
  readonly entries: readonly HistoryEntry[];
  readonly nowMs: number;
  /** Axis of the bars: the selected range, otherwise the visible span of the timeline. */
  readonly axis: Axis;
  readonly onOpen: (entry: HistoryEntry) => void;
  /** Asks for confirmation, then removes the recording; null for people who are not allowed to remove it. */
  readonly onRemove: ((entry: HistoryEntry) => void) | null;
}

export const ProcessRows = memo(function ProcessRows({
  entries,
  nowMs,
  axis,
  onOpen,
  onRemove,
}: ProcessRowsProps) {
  const [most, setMost] = useState(FIRST_ROWS);
  const hidden = entries.length - most;
  return (
    <div className="history-days">
      {byDay(entries.slice(0, most)).map(({ day, entries: own }, at) => {
        return (
          <section key={`${day} ${at}`} aria-label={day}>
            <h3 className="history-day">
              <span>{day}</span>
              <span className="history-axis" aria-hidden="true">
                <span>{endText(axis.fromMs, axis)}</span>
                <span>{endText(axis.toMs, axis)}</span>
              </span>
            </h3>
            <ul>
              {own.map((entry) => {
                const { start, length } = barOf(entry, axis, nowMs);
                return (
                  <li key={entry.key} className={onRemove ? 'history-removable' : undefined}>
                    <button type="button" className="history-row" onClick={() => onOpen(entry)}>
                      <Subject entry={entry} />
                      <span className="history-lane" aria-hidden="true">
                        <span
                          className={`history-bar ${statusOf(entry)}`}
                          style={{ left: `${start * 100}%`, width: `${length * 100}%` }}
                        />
                      </span>
                      <span className="history-took">
                        {durationText(endOf(entry, nowMs) - entry.startedAtMs)}
                      </span>
                      <span className="history-size">{bytesText(entry.outputBytes)}</span>
                    </button>
                    {onRemove ? (
                      <IconButton
                        icon={Trash2}
                        label={`Remove the recording of ${shortCommand(entry.argv)}`}
                        hint={whyNotRemoved(entry) ?? 'Remove this recording …'}
                        disabled={whyNotRemoved(entry) !== null}
                        onClick={() => onRemove(entry)}
                      />
                    ) : null}
                  </li>
                );
              })}
            </ul>
          </section>
        );
      })}
      {hidden > 0 ? (
        <button
          type="button"
          className="secondary small history-more"
          onClick={() => setMost(most + FIRST_ROWS)}
        >
          Show more of the {numberText(entries.length)} processes
        </button>
      ) : null}
    </div>
  );
});

/**
 * Returns the label for an end of an axis, as precise as its length requires: `21:47:09`, `21:47` or `11-26 21:47`.
 */
function endText(atMs: number, { fromMs, toMs }: Axis): string {
  const length = toMs - fromMs;
  return length > DAY_MS ? dateTimeText(atMs).slice(5, 16) : clockText(atMs, length < EXACT_BELOW_MS);
}

/** True for a failed, stopped or lost process with output: its last line usually contains the reason. */
const hasReason = (entry: HistoryEntry): boolean =>
  ['failed', 'stopped', 'lost'].includes(statusOf(entry)) && Boolean(entry.lastLine?.trim());

/** Start time, status, command, agent and outcome of a process, with its last line if that may explain a failure. */
export function Subject({ entry }: { readonly entry: HistoryEntry }) {
  return (
    <>
      <span className="history-clock">{clockText(entry.startedAtMs, true)}</span>
      <StatusIcon status={statusOf(entry)} />
      <span className="history-command" title={commandLine(entry.argv)}>
        {entry.label ? <b>{visible(entry.label)} </b> : null}
        {shortCommand(entry.argv)}
        {hasReason(entry) ? <span className="history-last">{visible(entry.lastLine ?? '')}</span> : null}
      </span>
      <span className="history-by">
        <span className="history-agent" title={visible(entry.startedBy)}>
          {agentTitle(entry)}
        </span>
        <span className="history-outcome">{stateText(entry)}</span>
      </span>
    </>
  );
}

interface FoundProps {
  readonly entries: readonly HistoryEntry[];
  readonly hits: readonly HistoryHit[];
  readonly onOpen: (hit: HistoryHit) => void;
}

export function FoundLines({ entries, hits, onOpen }: FoundProps) {
  return (
    <div className="history-days">
      {runsOfHits(entries, hits).map(({ entry, hits: own }) => (
        <section key={`${entry.key} ${own[0]?.offset}`} aria-label={shortCommand(entry.argv)}>
          <h3 className="history-row history-found">
            <Subject entry={entry} />
          </h3>
          <ul>
            {own.map((hit) => (
              <li key={hit.offset}>
                <button type="button" className="history-hit" onClick={() => onOpen(hit)}>
                  <span className="history-clock">{clockText(hit.atMs, true)}</span>
                  <span className="history-line">
                    {hit.isAfterGap ? '+' : ''}
                    {hit.line}
                  </span>
                  <HitText hit={hit} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function HitText({ hit }: { readonly hit: HistoryHit }) {
  const { before, match, after } = hitText(hit);
  return (
    <span className="history-text">
      {before}
      <mark>{match}</mark>
      {after}
    </span>
  );
}
