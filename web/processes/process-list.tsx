// Every process of every session, by who started it.
import { Plus, Search } from 'lucide-react';
import { useCallback, useMemo, useState, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { keysOf } from '../layout/layout-tree.ts';
import { layoutStore, openPane } from '../layout/layout-store.ts';
import { collapsedGroups, toggleGroup } from './collapsed-groups.ts';
import { parseFilter } from './process-filter.ts';
import { groupProcesses, inOrder, type ProcessGroup } from './process-groups.ts';
import { GroupOfProcesses } from './process-group.tsx';
import { isLive } from './process-status.ts';
import { processStore } from './process-store.ts';
import { useHeldStill } from './use-held-still.tsx';

/** More finished ones are shown on demand; the filter looks through all of them. */
const SHOWN_AT_FIRST = 200;

interface ProcessListProps {
  readonly onNew: () => void;
  /** After a process was opened; on a phone the list gives way to it. */
  readonly onOpened: () => void;
}

export function ProcessList({ onNew, onOpened }: ProcessListProps) {
  const [filter, setFilter] = useState('');
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const [visited, setVisited] = useState<string | null>(null);
  const listed = useListed(filter, shown);
  const { isHeld, hold } = useHeldStill();
  // What is under a pointer that is down stays there, or the click would be on something else.
  const [still, setStill] = useState(listed);
  if (!isHeld && still !== listed) setStill(listed);
  const { groups, older, total, matching } = still;
  const collapsed = useStore(collapsedGroups, ({ ids }) => ids);
  const openKeys = useStore(
    layoutStore,
    useShallow((state) => keysOf(state.layout)),
  );
  const focusedKey = useStore(layoutStore, (state) => state.focused);
  const isListed = useStore(processStore, (state) => state.isListed);
  // One stop for the Tab key; the arrows go on from there.
  const keys = groups.flatMap((group) => (collapsed.includes(group.id) ? [] : keysIn(group)));
  const tabStop = keys.find((key) => key === visited) ?? keys[0] ?? null;
  const onOpen = useCallback(
    (key: string) => {
      openPane(key);
      onOpened();
    },
    [onOpened],
  );
  const rows = { openKeys, focusedKey, tabStop, onVisit: setVisited, onOpen, onFilter: setFilter };
  return (
    <section className="process-list" aria-label="Processes">
      <div className="process-list-tools">
        <label className="search">
          <Search size={14} aria-hidden="true" />
          <input
            type="search"
            placeholder="Filter"
            title="Words, or agent: thread: call: state: label: folder: followed by one"
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
      {filter !== '' && matching > 0 ? (
        <p className="process-list-filtered">
          {matching} of {total} shown
          <button type="button" className="link-button" onClick={() => setFilter('')}>
            Show all
          </button>
        </p>
      ) : null}
      <div className="process-list-rows" onKeyDown={moveByArrows} onPointerDown={hold}>
        {groups.map((group) => (
          <GroupOfProcesses
            key={group.id}
            group={group}
            isCollapsed={collapsed.includes(group.id)}
            onToggle={toggleGroup}
            rows={rows}
          />
        ))}
        {older > 0 ? (
          <button type="button" className="link-button more" onClick={() => setShown(shown * 2)}>
            {older} older ones
          </button>
        ) : null}
        {isListed && total === 0 ? <p className="quiet">No processes yet.</p> : null}
        {filter !== '' && matching === 0 && total > 0 ? (
          <p className="quiet">Nothing matches “{filter}”.</p>
        ) : null}
      </div>
    </section>
  );
}

interface Listed {
  readonly groups: readonly ProcessGroup[];
  /** Finished ones that match and are not shown yet. */
  readonly older: number;
  readonly total: number;
  readonly matching: number;
}

function useListed(filter: string, shown: number): Listed {
  const processes = useStore(processStore, (state) => state.processes);
  const sessions = useStore(processStore, (state) => state.sessions);
  return useMemo(() => {
    const matches = parseFilter(filter);
    const all = Object.values(processes);
    const matching = inOrder(
      all.filter((info) => matches(info, { clientName: sessions[info.session]?.clientName ?? '' })),
    );
    const running = matching.filter(isLive).length;
    const groups = groupProcesses(matching.slice(0, running + shown), sessions);
    const older = Math.max(0, matching.length - running - shown);
    return { groups, older, total: all.length, matching: matching.length };
  }, [processes, sessions, filter, shown]);
}

const keysIn = ({ threads }: ProcessGroup): string[] => threads.flatMap(({ keys }) => keys);

/** Arrows, Home and End go from row to row. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="row"]')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  rows[to]?.focus();
}
