// Every process of every session, the running ones first.
import { Plus, Search } from 'lucide-react';
import { useMemo, useState, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { useConsole } from '../console-context.tsx';
import { keysOf } from '../layout/layout-tree.ts';
import { layoutStore, openPane } from '../layout/layout-store.ts';
import { commandLine } from './command-line.ts';
import { isLive, statusText } from './process-status.ts';
import { ProcessRow } from './process-row.tsx';
import { processStore } from './process-store.ts';

/** More finished ones are shown on demand; the filter looks through all of them. */
const SHOWN_AT_FIRST = 200;

interface ProcessListProps {
  readonly onNew: () => void;
  /** After a process was opened; on a phone the list gives way to it. */
  readonly onOpened: () => void;
}

export function ProcessList({ onNew, onOpened }: ProcessListProps) {
  const [filter, setFilter] = useState('');
  const processes = useStore(processStore, (state) => state.processes);
  const [running, finished] = useMemo(() => group(Object.values(processes), filter), [processes, filter]);
  const counts = useStore(
    processStore,
    useShallow((state) => count(Object.values(state.processes))),
  );
  const isListed = useStore(processStore, (state) => state.isListed);
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const [visited, setVisited] = useState<string | null>(null);
  const finishedShown = finished.slice(0, shown);
  // One stop for the Tab key; the arrows go on from there.
  const rows = [...running, ...finishedShown];
  const tabStop = rows.find((key) => key === visited) ?? rows[0] ?? null;
  const forGroup = { tabStop, onVisit: setVisited, onOpened };
  return (
    <section className="process-list" aria-label="Processes">
      <div className="process-list-tools">
        <label className="search">
          <Search size={14} aria-hidden="true" />
          <input
            type="search"
            placeholder="Filter"
            aria-label="Filter processes"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </label>
        <button type="button" className="primary" onClick={onNew}>
          <Plus size={15} aria-hidden="true" />
          New process
        </button>
      </div>
      <div className="process-list-rows">
        {rows.length > 0 ? (
          <div role="grid" aria-label="Processes" onKeyDown={moveByArrows}>
            <Group title="Running" total={counts.running} keys={running} {...forGroup} />
            <Group title="Finished" total={counts.finished} keys={finishedShown} {...forGroup} />
          </div>
        ) : null}
        {finished.length > shown ? (
          <button type="button" className="link-button more" onClick={() => setShown(shown * 2)}>
            {finished.length - shown} older ones
          </button>
        ) : null}
        {isListed && counts.running + counts.finished === 0 ? (
          <p className="quiet">No processes yet.</p>
        ) : null}
        {filter !== '' && running.length + finished.length === 0 && counts.running + counts.finished > 0 ? (
          <p className="quiet">Nothing matches “{filter}”.</p>
        ) : null}
      </div>
    </section>
  );
}

interface GroupProps {
  readonly title: string;
  readonly total: number;
  readonly keys: readonly string[];
  readonly tabStop: string | null;
  readonly onVisit: (key: string) => void;
  readonly onOpened: () => void;
}

function Group({ title, total, keys, tabStop, onVisit, onOpened }: GroupProps) {
  const { terminals } = useConsole();
  const open = useStore(
    layoutStore,
    useShallow((state) => keysOf(state.layout)),
  );
  const focused = useStore(layoutStore, (state) => state.focused);
  if (keys.length === 0) return null;
  return (
    <div role="rowgroup" aria-label={title}>
      <div className="process-group-title" aria-hidden="true">
        {title}
        <span>{keys.length === total ? total : `${keys.length} of ${total}`}</span>
      </div>
      {keys.map((key) => (
        <ProcessRow
          key={key}
          processKey={key}
          isOpen={open.includes(key)}
          isFocused={focused === key}
          isTabStop={tabStop === key}
          onVisit={onVisit}
          onOpen={(opened) => {
            openPane(opened);
            // It may have had the focus among the panes already.
            terminals.get(opened)?.focus();
            onOpened();
          }}
        />
      ))}
    </div>
  );
}

/** Arrows, Home and End go from row to row. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="row"]')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  rows[to]?.focus();
}

/** The keys of the running and of the finished ones that match, the newest first. */
function group(processes: readonly ProcessInfo[], filter: string): [string[], string[]] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = processes
    .filter((info) => {
      const text =
        `${commandLine(info.argv)} ${info.label ?? ''} ${info.cwd} ${info.startedBy} ${statusText(info)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => b.startedAtMs - a.startedAtMs);
  return [matching.filter(isLive).map(keyOf), matching.filter((info) => !isLive(info)).map(keyOf)];
}

const keyOf = ({ key }: ProcessInfo): string => key;

function count(processes: readonly ProcessInfo[]): { running: number; finished: number } {
  const running = processes.filter(isLive).length;
  return { running, finished: processes.length - running };
}
