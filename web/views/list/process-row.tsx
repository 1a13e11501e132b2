// A process in the list: title, status, duration, and last line of output.
import { Check } from 'lucide-react';
import { useRef, type MouseEvent } from 'react';
import { useStore } from 'zustand';
import { RowNote } from '../ending/row-note.tsx';
import { selectionStore } from '../../state/ending/selection.ts';
import { dragPane } from '../../state/layout/pane-drag.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import { hasGraph, PortLinks, UsageGraph, UsageNumbers, useUsed } from '../../parts/usage-cell.tsx';
import { RowLine } from './row-line.tsx';
import { commandLine } from '../../../text/command-line.ts';
import { filterWord, threadOf, toolCallOf } from '../../state/processes/process-filter.ts';
import { groupIdOf } from '../../state/processes/group-homes.ts';
import { agoText, dateTimeText, durationText } from '../../../text/amounts.ts';
import { elapsedMs, endedAtMs, isHeld, isLive, isWaiting, statusOf } from '../../../text/process-words.ts';
import { LastAct } from '../../parts/last-act.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import { LeftFact } from '../../parts/left-fact.tsx';
import { ProgressFact } from '../../parts/progress-fact.tsx';
import type { RowProps } from '../../state/processes/row-props.ts';
import { isUnseenFailure, seenStore } from '../../state/processes/seen.ts';
import { ShortTitle } from '../../parts/short-title.tsx';
import { StatusIcon } from '../../parts/status-icon.tsx';
import { StatusWord } from '../../parts/status-word.tsx';
import { isNamedAfter, threadName } from '../../state/processes/thread-names.ts';
import { useKnownAt } from '../../parts/use-known-at.tsx';
import { visible } from '../../../text/visible.ts';

interface ProcessRowProps {
  readonly processKey: string;
  readonly isOpen: boolean;
  readonly isFocused: boolean;
  /** Titles of groups if the row names its agent; null if the heading of its group does. */
  readonly agents: ReadonlyMap<string, string> | null;
  readonly row: RowProps;
  readonly onPick: (key: string, event: MouseEvent) => void;
  readonly onFilter: (word: string) => void;
}

export function ProcessRow(props: ProcessRowProps) {
  const { processKey, isOpen, isFocused, agents, row, onPick, onFilter } = props;
  const element = useRef<HTMLDivElement>(null);
  const isSelected = useStore(selectionStore, ({ keys }) => keys.includes(processKey));
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const isOnline = useStore(processStore, ({ connection }) => connection.kind === 'online');
  const runs = info !== undefined && isLive(info);
  const now = useKnownAt(runs);
  const used = useUsed(processKey, isOnline && runs);
  if (!info) return null;
  const status = statusOf(info);
  const agent = agents && visible(agents.get(groupIdOf(info)) ?? info.startedBy);
  const isAsked = isWaiting(info) && info.lastLine !== null;
  return (
    <div
      {...row}
      ref={element}
      draggable
      onDragStart={(event) => dragPane(event.dataTransfer, processKey)}
      className={`process-row ${isOpen ? 'open' : ''} ${isFocused ? 'focused' : ''} ${isSelected ? 'selected' : ''}`}
      data-process-key={info.key}
      data-process-status={status}
      data-output-complete={info.state === 'closed'}
      data-exit-code={info.exitCode ?? ''}
      aria-selected={isSelected}
      aria-current={isFocused ? 'true' : undefined}
      onMouseDown={keepText}
      onClick={(event) => onPick(processKey, event)}
    >
      <span role="gridcell" className="process-row-icon">
        {isSelected ? (
          <span className="process-row-tick" aria-hidden="true">
            <Check size={13} strokeWidth={3} />
          </span>
        ) : null}
        <StatusIcon status={status} isWaiting={isWaiting(info)} />
      </span>
      <span
        role="gridcell"
        className="process-row-command"
        title={`${commandLine(info.argv)}\n${visible(info.cwd)}`}
      >
        {info.label ? <b>{visible(info.label)} </b> : null}
        <ShortTitle processKey={processKey} className="" isCommand />
      </span>
      {hasGraph(used) ? (
        <span role="gridcell" className="process-row-graph">
          <UsageGraph used={used} />
        </span>
      ) : null}
      <span role="gridcell" className="process-row-time" title={dateTimeText(info.startedAtMs)}>
        {durationText(elapsedMs(info, now))}
      </span>
      <span
        role="gridcell"
        className="process-row-details"
        title={agent === null ? visible(info.cwd) : `${agent}\n${visible(info.cwd)}`}
      >
        <StatusWord info={info} />
        <LeftFact info={info} now={now} tabIndex={row.tabIndex} />
        {/* Facts by importance: those without room are omitted as a whole. */}
        <span className="process-row-meta">
          <RowLine info={info} line={lineOf(info)} isAsked={isAsked} />
          <LastAct info={info} now={now} />
          <Facts
            info={info}
            isAbove={agents !== null}
            // The person who ends the process matters more than the agent that started it.
            agent={status === 'terminating' ? null : agent}
            now={now}
            tabIndex={row.tabIndex}
            onFilter={onFilter}
          />
        </span>
        {used ? <PortLinks used={used} tabIndex={row.tabIndex} /> : null}
        {/* A process that is waiting for input uses no CPU, and its question needs the space. */}
        {used && !isAsked ? <UsageNumbers used={used} /> : null}
      </span>
      <span role="gridcell" className="process-row-note">
        <RowNote place="row" processKey={processKey} onAnswered={() => element.current?.focus()} />
      </span>
    </div>
  );
}

/** Makes a click with Shift held select rows rather than text. */
function keepText(event: MouseEvent<HTMLElement>): void {
  if (!event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.focus();
}

/** Thread that started the process, unless the row's title begins with the thread's name. */
function Thread({ info }: { readonly info: ProcessInfo }) {
  const thread = threadOf(info);
  const name = useStore(processStore, ({ processes }) => {
    const known = thread === null ? null : threadName(processes, thread, info.startedBy);
    return known === null || isNamedAfter(known, info) ? null : known.words;
  });
  if (thread === null || name === null) return null;
  return <span title={`Thread ${visible(thread)}`}>{name}</span>;
}

interface FactsProps {
  readonly info: ProcessInfo;
  /** True outside groups: in the attention section, and in the list sorted by usage. */
  readonly isAbove: boolean;
  /** Name of the agent; null if a heading above the row shows it, and while the process is terminating. */
  readonly agent: string | null;
  readonly now: number;
  readonly tabIndex: 0 | -1;
  readonly onFilter: (word: string) => void;
}

function Facts({ info, isAbove, agent, now, tabIndex, onFilter }: FactsProps) {
  const toolCall = toolCallOf(info);
  const quietFor = quietText(info, now);
  return (
    <>
      <ProgressFact progress={info.progress} />
      {quietFor === null ? null : <span title={`Last output ${quietFor} ago`}>idle {quietFor}</span>}
      {isLive(info) ? null : <Ended info={info} />}
      {statusOf(info) === 'failed' ? <Unseen info={info} isAbove={isAbove} /> : null}
      {agent === null ? null : <span className="process-row-agent">{agent}</span>}
      {isAbove ? <Thread info={info} /> : null}
      {toolCall === null ? null : (
        <button
          type="button"
          tabIndex={tabIndex}
          className="process-row-call"
          title={`Show only tool call ${visible(toolCall)}`}
          onClick={(event) => {
            event.stopPropagation();
            onFilter(filterWord('call', toolCall));
          }}
        >
          {visible(toolCall)}
        </button>
      )}
    </>
  );
}

interface UnseenProps {
  readonly info: ProcessInfo;
  readonly isAbove: boolean;
}

/** Marks an unseen failure; outside groups, only for screen readers. */
function Unseen({ info, isAbove }: UnseenProps) {
  const seen = useStore(seenStore);
  if (!isUnseenFailure(info, seen)) return null;
  const title = 'Not opened in this browser since it failed';
  return (
    <span className={isAbove ? 'sr-only' : undefined} title={title}>
      unseen
    </span>
  );
}

/** Time since the end, in a separate component so that only this one re-renders with the clock. */
function Ended({ info }: { readonly info: ProcessInfo }) {
  const now = useKnownAt(true);
  const atMs = endedAtMs(info);
  return (
    <span className="process-row-ended" title={`Ended ${dateTimeText(atMs)}`}>
      {agoText(now - atMs)}
    </span>
  );
}

/** Time without output after which a process is shown as idle. */
const QUIET_MS = 5000;

function quietText(info: ProcessInfo, now: number): string | null {
  // A process that is waiting for input is obviously idle.
  if (
    !isLive(info) ||
    isWaiting(info) ||
    info.lastOutputAtMs === null ||
    now - info.lastOutputAtMs < QUIET_MS
  )
    return null;
  return durationText(now - info.lastOutputAtMs);
}

/**
 * Returns the last line of output, otherwise the title set by a program that draws a screen, or `no output`
 * if there was none; empty for output without a line, and for a start that is waiting for approval.
 */
function lineOf({ state, lastLine, title, outputBytes }: ProcessInfo): string {
  const line = lastLine ?? title;
  if (line !== null) return visible(line);
  return outputBytes > 0 || isHeld({ state }) ? '' : 'no output';
}
