// Every process of every session, the running ones first.
import { Plus, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import type { ProcessInfo } from '../../server/protocol/console.ts';
import { keysOf } from '../layout/layout-tree.ts';
import { layoutStore, openPane } from '../layout/layout-store.ts';
import { commandLine } from './command-line.ts';
import { isLive, statusText } from './process-status.ts';
import { ProcessRow } from './process-row.tsx';
import { processStore } from './process-store.ts';

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
      <div role="grid" aria-label="Processes" className="process-list-rows">
        <Group title="Running" total={counts.running} keys={running} onOpened={onOpened} />
        <Group title="Finished" total={counts.finished} keys={finished} onOpened={onOpened} />
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
  readonly onOpened: () => void;
}

function Group({ title, total, keys, onOpened }: GroupProps) {
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
          onOpen={(opened) => {
            openPane(opened);
            onOpened();
          }}
        />
      ))}
    </div>
  );
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
