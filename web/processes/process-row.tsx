// One process in the list.
import { memo } from 'react';
import { useStore } from 'zustand';
import { dragPane } from '../layout/pane-drag.ts';
import { commandLine, shortCommand, visible } from './command-line.ts';
import { filterWord, toolCallOf } from './process-filter.ts';
import { durationText, elapsedMs, endedByText, isLive, statusOf, statusText } from './process-status.ts';
import { processStore } from './process-store.ts';
import { StatusIcon } from './status-icon.tsx';
import { useNow } from '../ui/use-now.tsx';

interface ProcessRowProps {
  readonly processKey: string;
  readonly isOpen: boolean;
  readonly isFocused: boolean;
  readonly isTabStop: boolean;
  readonly onVisit: (key: string) => void;
  readonly onOpen: (key: string) => void;
  readonly onFilter: (word: string) => void;
}

export const ProcessRow = memo(function ProcessRow(props: ProcessRowProps) {
  const { processKey, isOpen, isFocused, isTabStop, onVisit, onOpen, onFilter } = props;
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const isOnline = useStore(processStore, ({ connection }) => connection.kind === 'online');
  // While offline nobody here knows whether it still runs.
  const now = useNow(isOnline && info !== undefined && isLive(info));
  if (!info) return null;
  const status = statusOf(info);
  const endedBy = endedByText(info);
  const toolCall = toolCallOf(info);
  return (
    <div
      role="row"
      tabIndex={isTabStop ? 0 : -1}
      draggable
      onDragStart={(event) => dragPane(event.dataTransfer, processKey)}
      onFocus={() => onVisit(processKey)}
      className={`process-row ${isOpen ? 'open' : ''} ${isFocused ? 'focused' : ''}`}
      data-process-key={info.key}
      data-process-status={status}
      data-output-complete={info.state === 'closed'}
      data-exit-code={info.exitCode ?? ''}
      aria-selected={isFocused}
      onClick={() => onOpen(processKey)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          onOpen(processKey);
        }
      }}
    >
      <span role="gridcell" className="process-row-icon">
        <StatusIcon status={status} />
      </span>
      <span role="gridcell" className="process-row-main">
        <span className="process-row-command" title={commandLine(info.argv)}>
          {info.label ? <b>{visible(info.label)} </b> : null}
          {shortCommand(info.argv)}
        </span>
        <span className="process-row-meta" title={visible(info.cwd)}>
          <span className={`status-word ${status}`}>{statusText(info)}</span>
          {endedBy ? <span>{visible(endedBy)}</span> : null}
          {toolCall === null ? null : (
            <button
              type="button"
              tabIndex={-1}
              className="process-row-call"
              title={`Only tool call ${visible(toolCall)}`}
              onClick={(event) => {
                event.stopPropagation();
                onFilter(filterWord('call', toolCall));
              }}
            >
              {visible(toolCall)}
            </button>
          )}
        </span>
      </span>
      <span role="gridcell" className="process-row-time" title={new Date(info.startedAtMs).toLocaleString()}>
        {durationText(elapsedMs(info, now))}
      </span>
    </div>
  );
});
