// Table of all processes, shown while no pane is open and sortable by every column.
import { ArrowDown, ArrowUp } from 'lucide-react';
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { useCallback, useRef, useState, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { useHeldStill } from '../../parts/use-held-still.tsx';
import { openPane } from '../../state/layout/layout-store.ts';
import { expandInHome, homeView, sortHomeBy } from '../../state/processes/home-view.ts';
import { showPanes } from '../../state/page/page-store.ts';
import { directionOf, HOME_COLUMNS, type HomeColumn } from '../../state/processes/home-order.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { HomeRow } from './home-row.tsx';
import { useHomeKeys } from './use-home-keys.tsx';
import { numberText } from '../../../text/amounts.ts';

const ROW_PX = 36;
const DETAILS_PX = 232;
/** Number of rows drawn beyond the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 8;

const TITLES: { readonly [column in HomeColumn]: string } = {
  command: 'Command',
  status: 'Status',
  agent: 'Agent',
  cpu: 'CPU',
  memory: 'Memory',
  age: 'Time',
  folder: 'Folder',
  line: 'Last output',
};

export function Home() {
  const scroller = useRef<HTMLDivElement>(null);
  const { isHeld, handlers } = useHeldStill();
  const keys = useHomeKeys(isHeld);
  const expanded = useStore(homeView, (state) => state.expanded);
  const { focusedAt, goTo, restsOn } = useFocusedRow(scroller, keys);
  const expandedAt = expanded === null ? -1 : keys.indexOf(expanded);
  // oxlint-disable-next-line react/incompatible-library -- its functions are only called here
  const virtualizer = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (index === expandedAt ? ROW_PX + DETAILS_PX : ROW_PX),
    getItemKey: (index) => `${keys[index]}${index === expandedAt ? ' with details' : ''}`,
    overscan: OVERSCAN,
    scrollPaddingStart: ROW_PX,
    rangeExtractor: useCallback(
      // The focused row must be drawn to keep the focus.
      (range: Range) =>
        [...new Set([...defaultRangeExtractor(range), Math.min(focusedAt, range.count - 1)])].toSorted(
          (a, b) => a - b,
        ),
      [focusedAt],
    ),
  });
  const open = (key: string): void => {
    openPane(key);
    showPanes();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const isOnRow = event.target instanceof HTMLElement && event.target.role === 'row';
    const key = keys[focusedAt];
    if (!isOnRow || key === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 2);
    const to = {
      ArrowDown: focusedAt + 1,
      ArrowUp: focusedAt - 1,
      PageDown: focusedAt + page,
      PageUp: focusedAt - page,
      Home: 0,
      End: keys.length - 1,
    }[event.key];
    if (to !== undefined) {
      const at = Math.min(keys.length - 1, Math.max(0, to));
      goTo(at);
      virtualizer.scrollToIndex(at);
    } else if (event.key === 'Enter') open(key);
    else if (event.key === 'ArrowRight') expandInHome(key);
    else if (event.key === 'ArrowLeft') expandInHome(null);
    else return;
    event.preventDefault();
  };
  return (
    <section className="home" aria-labelledby="home-title">
      <HomeHead count={keys.length} />
      <div
        ref={scroller}
        className="home-scroller"
        role="grid"
        aria-label="All processes"
        aria-rowcount={keys.length + 1}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        {keys.length === 0 ? null : <HomeColumns />}
        <div role="presentation" className="home-rows" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start, size }) => {
            const key = keys[index];
            return key === undefined ? null : (
              <HomeRow
                key={key}
                processKey={key}
                isExpanded={index === expandedAt}
                place={{ index, top: start, height: size, tabIndex: restsOn(index) ? 0 : -1 }}
                onFocus={() => goTo(index)}
                onOpen={open}
              />
            );
          })}
        </div>
        {keys.length === 0 ? <p className="home-empty">All processes have ended and were cleared.</p> : null}
      </div>
    </section>
  );
}

function HomeHead({ count }: { readonly count: number }) {
  const isReadOnly = useStore(processStore, (state) => state.isReadOnly);
  return (
    <header className="home-head">
      <h2 id="home-title">{count === 1 ? '1 process' : `${numberText(count)} processes`}</h2>
      <p>
        Open a process to watch it live{isReadOnly ? '' : ', type into it, interrupt or terminate it'}.
        Watching changes nothing.
      </p>
    </header>
  );
}

function HomeColumns() {
  const sort = useStore(homeView, (state) => state.sort);
  const Arrow = directionOf(sort) === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <div role="row" className="home-columns" aria-rowindex={1}>
      {HOME_COLUMNS.map((column) => (
        <span
          key={column}
          role="columnheader"
          className={`home-${column}`}
          aria-sort={sort.by === column ? directionOf(sort) : undefined}
        >
          <button
            type="button"
            title={
              column === 'status' ? 'Sort by status: processes that need attention come first' : undefined
            }
            onClick={() => sortHomeBy(column)}
          >
            {TITLES[column]}
            {sort.by === column ? <Arrow size={12} aria-hidden="true" /> : null}
          </button>
        </span>
      ))}
    </div>
  );
}

/**
 * Returns the index of the row that Tab reaches, a test for that index, and `goTo`, which focuses another row. The
 * index follows its process when the order changes.
 */
function useFocusedRow(scroller: { readonly current: HTMLElement | null }, keys: readonly string[]) {
  const [focused, setFocused] = useState<{ readonly key: string; readonly at: number } | null>(null);
  const known = focused === null ? -1 : keys.indexOf(focused.key);
  const focusedAt = known >= 0 ? known : Math.min(focused?.at ?? 0, Math.max(0, keys.length - 1));
  const goTo = (at: number): void => {
    const key = keys[at];
    if (key === undefined) return;
    setFocused({ key, at });
    // The row is drawn before the next frame.
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>('.home-row[tabindex="0"]')?.focus({ preventScroll: true }),
    );
  };
  return { focusedAt, goTo, restsOn: (index: number) => index === focusedAt };
}
