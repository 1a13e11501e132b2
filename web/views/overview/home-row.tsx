// A process in the table: facts in columns and, on request, its usage and OS processes below.
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useRef, type CSSProperties } from 'react';
import { useStore } from 'zustand';
import { agoText, bytesText, dateTimeText, durationText } from '../../../text/amounts.ts';
import { commandLine } from '../../../text/command-line.ts';
import { elapsedMs, isLive, isWaiting, statusOf } from '../../../text/process-words.ts';
import { visible } from '../../../text/visible.ts';
import { StatusIcon } from '../../parts/status-icon.tsx';
import { StatusWord } from '../../parts/status-word.tsx';
import { starterName } from '../../state/processes/process-groups.ts';
import { ShortTitle } from '../../parts/short-title.tsx';
import { hasGraph, UsageGraph, useUsed } from '../../parts/usage-cell.tsx';
import { useKnownAt } from '../../parts/use-known-at.tsx';
import { expandInHome } from '../../state/processes/home-view.ts';
import { lateCpu } from '../../state/processes/busiest.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { cpuText } from '../../state/processes/usage-text.ts';
import { RowNote } from '../ending/row-note.tsx';
import { HomeDetails } from './home-details.tsx';

interface HomeRowProps {
  readonly processKey: string;
  readonly isExpanded: boolean;
  /** `top` and `height` are in CSS px. */
  readonly place: {
    readonly index: number;
    readonly top: number;
    readonly height: number;
    readonly tabIndex: 0 | -1;
  };
  readonly onFocus: () => void;
  readonly onOpen: (key: string) => void;
}

export function HomeRow({ processKey, isExpanded, place, onFocus, onOpen }: HomeRowProps) {
  const element = useRef<HTMLDivElement>(null);
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const agent = useStore(processStore, ({ processes, sessions }) => {
    const of = processes[processKey];
    return of ? starterName(of, sessions) : '';
  });
  const isOnline = useStore(processStore, ({ connection }) => connection.kind === 'online');
  const runs = info !== undefined && isLive(info);
  const now = useKnownAt(runs);
  const used = useUsed(processKey, isOnline && runs);
  if (!info) return null;
  const { top, height } = place;
  const last = used?.samples.at(-1);
  const line = visible(info.lastLine ?? info.title ?? '');
  const toggle = (): void => expandInHome(isExpanded ? null : processKey);
  const Chevron = isExpanded ? ChevronDown : ChevronRight;
  return (
    <div
      ref={element}
      role="row"
      className="home-row"
      data-home-key={processKey}
      aria-rowindex={place.index + 2}
      data-expanded={isExpanded}
      tabIndex={place.tabIndex}
      style={{ top, height } satisfies CSSProperties}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget && place.tabIndex !== 0) onFocus();
      }}
      onClick={() => onOpen(processKey)}
    >
      <div role="presentation" className="home-cells">
        <span
          role="gridcell"
          className="home-command"
          title={`${commandLine(info.argv)}\n${visible(info.cwd)}`}
        >
          <button
            type="button"
            tabIndex={-1}
            className="home-expand"
            aria-label="Details"
            aria-expanded={isExpanded}
            onClick={(event) => {
              event.stopPropagation();
              toggle();
            }}
          >
            <Chevron size={14} aria-hidden="true" />
          </button>
          <StatusIcon status={statusOf(info)} isWaiting={isWaiting(info)} />
          {info.label ? <b>{visible(info.label)}</b> : null}
          <ShortTitle processKey={processKey} className="" isCommand />
        </span>
        <span role="gridcell" className="home-status">
          <StatusWord info={info} />
        </span>
        <span role="gridcell" className="home-agent" title={visible(agent)}>
          {visible(agent)}
        </span>
        <span role="gridcell" className="home-cpu">
          {hasGraph(used) ? <UsageGraph used={used} /> : null}
          {runs ? cpuText(lateCpu(used)) : ''}
        </span>
        <span role="gridcell" className="home-memory">
          {last ? bytesText(last.memoryBytes) : ''}
        </span>
        <span role="gridcell" className="home-age" title={`Started ${dateTimeText(info.startedAtMs)}`}>
          {durationText(elapsedMs(info, now))}
        </span>
        <span role="gridcell" className="home-folder" title={visible(info.cwd)}>
          {visible(info.cwd)}
        </span>
        <span
          role="gridcell"
          className="home-line"
          title={
            info.lastOutputAtMs === null ? line : `${line}\nLast output ${agoText(now - info.lastOutputAtMs)}`
          }
        >
          {line}
        </span>
        <span role="gridcell" className="process-row-note">
          <RowNote place="tile" processKey={processKey} onAnswered={() => element.current?.focus()} />
        </span>
      </div>
      {isExpanded ? <HomeDetails info={info} used={used} /> : null}
    </div>
  );
}
