// List of all processes of all sessions, grouped by agent; processes that need attention come first.
import { Plus } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { LadderBar } from '../ending/ladder-bar.tsx';
import { keysOf } from '../../state/layout/layout-tree.ts';
import { useShownKeys } from '../../parts/use-shown-keys.tsx';
import { layoutStore, openPane } from '../../state/layout/layout-store.ts';
import { clearedProcesses, isCleared, isFinished } from '../../state/processes/cleared-processes.ts';
import { whyNone } from '../../state/processes/filter-reason.ts';
import { FilterChips, FilterField } from './filter-bar.tsx';
import { useBusiest } from '../../parts/use-busiest.tsx';
import { attentionStore } from '../../state/attention/attention-store.ts';
import { turnedFolds, turnFold } from '../../state/processes/list-folds.ts';
import { listItems, MORE_FAILED, processItems } from '../../state/processes/list-items.ts';
import { statusCounts, type ListedCounts } from '../../state/processes/process-counts.ts';
import { parseFilter } from '../../state/processes/process-filter.ts';
import { originIn } from '../../state/processes/thread-names.ts';
import { listView } from '../../state/page/list-view.ts';
import { listOrder, noteMove, toggleBusiest } from '../../state/processes/list-order.ts';
import { ListSummary } from './list-summary.tsx';
import { listingOf, type Listing } from '../../state/processes/listing.ts';
import { ProcessRows } from './process-rows.tsx';
import { homesOf } from '../../state/processes/group-homes.ts';
import { groupTitles } from '../../state/processes/process-groups.ts';
import { whyNotStart } from '../../state/processes/why-not-start.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { markSeen, seenStore } from '../../state/processes/seen.ts';
import { isLive } from '../../../text/process-words.ts';
import { visible } from '../../../text/visible.ts';
import { ConnectLine } from '../../parts/connect-line.tsx';
import { OtherAgents } from '../../parts/other-agents.tsx';
import { useHeldStill } from '../../parts/use-held-still.tsx';

const focusRows = (): void => listView.getState().rows?.focus();

interface ProcessListProps {
  readonly onNew: () => void;
  /** Called after a process was opened; on a phone, its pane then replaces the list. */
  readonly onOpened: () => void;
}

export function ProcessList({ onNew, onOpened }: ProcessListProps) {
  const [filter, setRawFilter] = useState('');
  const setFilter = useCallback((text: string) => setRawFilter(visible(text)), []);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    listView.setState({
      filter: () => {
        field.current?.focus();
        field.current?.select();
      },
    });
    return () => listView.setState({ filter: null });
  }, []);
  const { isHeld, hasFocus, isDown, handlers } = useHeldStill();
  const { isBusiest, hasMoved } = useStore(listOrder);
  const turned = useStore(turnedFolds, ({ ids }) => ids);
  const isMoreOpen = turned.includes(MORE_FAILED);
  const hasCard = useStore(attentionStore, ({ absence }) => absence !== null);
  const wish = { filter, isBusiest, isMoreOpen, hasCard };
  const { listing, agents, total, matching, finished, cleared, counts } = useListed(wish, isHeld, isDown);
  const busiest = useBusiest({ isOn: isBusiest, keys: listing.live, isHeld: isHeld || hasFocus, hasMoved });
  const grouped = useMemo(() => listItems(listing, turned), [listing, turned]);
  const items = busiest ? processItems(busiest.keys) : grouped;
  const openKeys = useStore(
    layoutStore,
    useShallow((state) => keysOf(state.layout)),
  );
  const focusedKey = useStore(layoutStore, (state) => state.focused);
  const isReadOnly = useStore(processStore, (state) => state.isReadOnly);
  const isListed = useStore(processStore, (state) => state.isListed);
  const refusal = useStore(processStore, ({ connection }) => whyNotStart(connection));
  useSeen(useShownKeys());
  const onOpen = useCallback(
    (key: string) => {
      openPane(key);
      onOpened();
    },
    [onOpened],
  );
  return (
    <section className="process-list" aria-label="Processes">
      <div className="process-list-tools">
        <FilterField filter={filter} field={field} onFilter={setFilter} onEnter={focusRows} />
        {isReadOnly ? null : (
          <button
            type="button"
            className="primary"
            disabled={refusal !== null}
            title={refusal ?? undefined}
            onClick={onNew}
          >
            <Plus size={15} aria-hidden="true" />
            New process
          </button>
        )}
      </div>
      <FilterChips filter={filter} counts={counts} onFilter={setFilter} />
      {total + cleared > 0 ? (
        <ListSummary
          total={total}
          counts={counts}
          finished={finished}
          cleared={cleared}
          matching={filter === '' ? null : matching}
          isBusiest={isBusiest}
          onBusiest={toggleBusiest}
          onShowAll={() => setFilter('')}
        />
      ) : null}
      <div
        className="process-list-held"
        {...handlers}
        onPointerDownCapture={noteMove}
        onWheel={noteMove}
        // Only real movements count, since rows that move under a resting pointer also cause events.
        onPointerMoveCapture={({ movementX, movementY }) => {
          if (movementX !== 0 || movementY !== 0) noteMove();
        }}
      >
        {items.length === 0 ? null : (
          <ProcessRows
            items={items}
            openKeys={openKeys}
            focusedKey={focusedKey}
            isHeld={isHeld && !(isBusiest && !hasMoved)}
            agents={agents}
            order={busiest ? (busiest.phase === 'known' ? 'busiest' : 'measuring') : 'grouped'}
            onOpen={onOpen}
            onTurn={turnFold}
            onFilter={setFilter}
          />
        )}
        {isListed && total === 0 ? (
          <p className="quiet">{cleared > 0 ? 'Nothing is running.' : 'No processes yet.'}</p>
        ) : null}
        {isListed && total + cleared === 0 ? (
          <div className="empty-list">
            <p>Connect an agent, and its processes appear here as they start:</p>
            <ConnectLine />
            <OtherAgents />
          </div>
        ) : null}
        {busiest && listing.live.length === 0 && total > 0 ? (
          <p className="quiet">Nothing is running.</p>
        ) : null}
        {filter !== '' && matching === 0 && total > 0 ? (
          <NoMatch
            filter={filter}
            onFilter={(text) => {
              setFilter(text);
              field.current?.focus();
            }}
          />
        ) : null}
      </div>
      <LadderBar onAnswered={focusRows} />
    </section>
  );
}

interface NoMatchProps {
  readonly filter: string;
  readonly onFilter: (text: string) => void;
}

function NoMatch({ filter, onFilter }: NoMatchProps) {
  const processes = useStore(processStore, (state) => state.processes);
  const sessions = useStore(processStore, (state) => state.sessions);
  const hidden = useStore(clearedProcesses);
  const { text, meant } = useMemo(() => {
    const listed = Object.values(processes).filter((info) => !isCleared(info, hidden));
    return whyNone(filter, listed, originIn({ processes, sessions }));
  }, [filter, processes, sessions, hidden]);
  return (
    <div className="no-match">
      <p role="status">{text}</p>
      <span className="no-match-ways">
        {meant === null ? null : (
          <button type="button" className="secondary" onClick={() => onFilter(meant)}>
            Filter by “{visible(meant)}”
          </button>
        )}
        <button type="button" className="secondary" onClick={() => onFilter('')}>
          Clear filter
        </button>
      </span>
    </div>
  );
}

interface Listed {
  readonly listing: Listing;
  /** Titles of groups by id. */
  readonly agents: ReadonlyMap<string, string>;
  readonly total: number;
  readonly matching: number;
  /** Number of listed processes that can be cleared from the list. */
  readonly finished: number;
  /** Number of ended processes that were cleared from the list. */
  readonly cleared: number;
  readonly counts: ListedCounts;
}

/** View of the list; a change of it applies immediately, even while rows keep their places. */
interface Wish {
  readonly filter: string;
  readonly isBusiest: boolean;
  readonly isMoreOpen: boolean;
  /** True while a card above the list names the failures. */
  readonly hasCard: boolean;
}

/** Returns the listing: rows keep their places while it is held, and none are added or removed during a click. */
function useListed(
  { filter, isBusiest, isMoreOpen, hasCard }: Wish,
  isHeld: boolean,
  isDown: boolean,
): Listed {
  const processes = useStore(processStore, (state) => state.processes);
  const sessions = useStore(processStore, (state) => state.sessions);
  const seen = useStore(seenStore);
  const hidden = useStore(clearedProcesses);
  const now = useMemo(() => {
    const matches = parseFilter(filter);
    const known = Object.values(processes);
    const all = known.filter((info) => !isCleared(info, hidden));
    const originOf = originIn({ processes, sessions });
    const matching = all.filter((info) => matches(info, originOf(info)));
    // Titles are computed from all processes, so that a filter does not change them.
    const homes = homesOf(known);
    const agents = groupTitles(known, sessions, homes);
    const input = {
      processes: matching,
      agents,
      homes,
      seen,
      isMoreOpen,
      isFiltered: filter !== '',
      hasCard,
    };
    return {
      filter,
      isBusiest,
      isMoreOpen,
      hasCard,
      seenUntilMs: seen.untilMs,
      agents,
      listingIn: (held: Listing | null) => listingOf(input, held),
      total: all.length,
      matching: matching.length,
      finished: all.filter(isFinished).length,
      cleared: known.length - all.length,
      counts: {
        ...statusCounts(all),
        left: all.filter((info) => isLive(info) && originOf(info).isLeft).length,
      },
    };
  }, [processes, sessions, seen, hidden, filter, isBusiest, isMoreOpen, hasCard]);
  const [shown, setShown] = useState(() => ({ now, isHeld: false, listing: now.listingIn(null) }));
  const { now: before } = shown;
  const isSame =
    before.filter === filter &&
    before.isBusiest === isBusiest &&
    before.isMoreOpen === isMoreOpen &&
    before.hasCard === hasCard &&
    before.seenUntilMs === seen.untilMs;
  // A change of the view applies immediately, as does marking everything as seen.
  const holds = isHeld && isSame;
  const stands = shown.now === now ? holds || !shown.isHeld : isDown && isSame;
  if (stands) return { ...shown.now, listing: shown.listing };
  const listing = now.listingIn(holds ? shown.listing : null);
  setShown({ now, isHeld: holds, listing });
  return { ...now, listing };
}

/** Marks failures and notifications as seen once their pane is visible while the page is online. */
function useSeen(shownKeys: readonly string[]): void {
  const shown = useStore(
    processStore,
    useShallow(({ processes, connection }) =>
      connection.kind === 'online' ? shownKeys.flatMap((key) => processes[key] ?? []) : [],
    ),
  );
  useEffect(() => markSeen(shown), [shown]);
}
