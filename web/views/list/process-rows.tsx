// Visible rows of a list of any length; keys move between rows, and the focus stays with its row.
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import { useStore } from 'zustand';
import { mayAct } from '../../../client/connection-state.ts';
import { selectAlso, selectionStore, selectTo, toggleSelected } from '../../state/ending/selection.ts';
import { listView, type Step } from '../../state/page/list-view.ts';
import { isMac } from '../../state/page/platform.ts';
import { ROW_HEIGHT, startOf, titlesOf, type ListItem } from '../../state/processes/list-items.ts';
import { GroupRow, NoThreadRow, ThreadRow } from './process-group.tsx';
import { MoreFailedRow, NeedingRow, OlderRow } from './list-notes.tsx';
import { filterWord } from '../../state/processes/process-filter.ts';
import { ProcessRow } from './process-row.tsx';
import { processStore } from '../../state/processes/process-store.ts';
import type { RowProps } from '../../state/processes/row-props.ts';
import { markAllSeen } from '../../state/processes/seen.ts';
import { useRowFocus, type Order } from './use-row-focus.tsx';

/** Number of rows drawn beyond the visible ones, so that scrolling shows no gaps. */
const OVERSCAN = 8;

interface ProcessRowsProps {
  readonly items: readonly ListItem[];
  readonly openKeys: readonly string[];
  readonly focusedKey: string | null;
  /** True when visible rows must stay in place while others are added and removed. */
  readonly isHeld: boolean;
  /** Titles of groups by id. */
  readonly agents: ReadonlyMap<string, string>;
  /** Order of the rows: grouped by agent, or sorted by usage. */
  readonly order: Order;
  readonly onOpen: (key: string) => void;
  readonly onTurn: (foldId: string) => void;
  readonly onFilter: (word: string) => void;
}

export function ProcessRows(props: ProcessRowsProps) {
  const { items, openKeys, focusedKey, isHeld, agents, order, onOpen, onTurn, onFilter } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const mayChoose = useStore(processStore, ({ connection }) => mayAct(connection));
  const isTapping = useStore(selectionStore, (state) => state.isTapping);
  const firstProcess = items.findIndex(({ kind }) => kind === 'process');
  const { tabStop, goTo: focusRow, handlers } = useRowFocus(scroller, items, order);
  const keysInOrder = useMemo(
    () => items.flatMap((item) => (item.kind === 'process' ? [item.key] : [])),
    [items],
  );
  const titles = useMemo(() => titlesOf(items), [items]);
  // oxlint-disable-next-line react/incompatible-library -- its functions are only called here
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ROW_HEIGHT[items[index]?.kind ?? 'process'],
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollPaddingStart: ROW_HEIGHT.group,
    paddingEnd: 12,
    rangeExtractor: useCallback(
      (range: Range) => {
        const rendered = new Set(defaultRangeExtractor(range));
        const title = titles[range.startIndex] ?? null;
        if (title !== null) rendered.add(title);
        // The focused row must be drawn to keep the focus.
        if (tabStop < range.count) rendered.add(tabStop);
        return [...rendered].toSorted((a, b) => a - b);
      },
      [titles, tabStop],
    ),
  });
  useHeldPlace(scroller, items, isHeld);
  const inSight = virtualizer.getVirtualItems();
  const shownTitle = titles[virtualizer.range?.startIndex ?? 0] ?? null;

  const goTo = (index: number): void => {
    const item = items[Math.min(items.length - 1, Math.max(0, index))];
    if (!item) return;
    focusRow(item);
    virtualizer.scrollToIndex(items.indexOf(item));
  };
  const act = (item: ListItem): void => {
    if (item.kind === 'process') onOpen(item.key);
    else if (item.kind !== 'thread') onTurn(item.id);
    else if (item.thread !== null) onFilter(filterWord('thread', item.thread));
  };
  const extend = (to: number): void => {
    const [from, next] = [items[tabStop], items[to]];
    if (next?.kind === 'process')
      selectTo(next.key, from?.kind === 'process' ? from.key : next.key, keysInOrder);
  };
  const pick = (key: string, event: MouseEvent): void => {
    if (mayChoose && event.shiftKey) selectTo(key, key, keysInOrder);
    else if (mayChoose && (hasMod(event) || isTapping)) toggleSelected(key);
    else onOpen(key);
  };
  const selectAll = (): void => {
    if (mayChoose) selectAlso(keysInOrder);
  };
  const walk = (to: number, isExtended: boolean): void => {
    if (isExtended && mayChoose) extend(to);
    goTo(to);
  };
  const steps: { readonly [step in Step]: number } = {
    next: tabStop + 1,
    previous: tabStop - 1,
    first: firstProcess,
    last: items.length - 1,
  };
  useLayoutEffect(() => {
    const rowWithFocus = (): Element | null =>
      (scroller.current?.contains(document.activeElement) &&
        document.activeElement?.closest('[role="row"]')) ||
      null;
    listView.setState({
      rows: {
        step(step, isExtended) {
          if (!rowWithFocus()) return false;
          walk(steps[step], isExtended);
          return true;
        },
        selectAll,
        focus: () => scroller.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus(),
      },
    });
    return () => listView.setState({ rows: null });
  });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (mayChoose && hasMod(event) && !event.shiftKey && event.key === 'a') {
      selectAll();
      event.preventDefault();
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    // Links and buttons in a row handle Enter and Space themselves.
    const isInside = !(event.target instanceof HTMLElement && event.target.role === 'row');
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT.process) - 1);
    const item = items[tabStop];
    const to = {
      ArrowDown: steps.next,
      ArrowUp: steps.previous,
      PageDown: tabStop + page,
      PageUp: tabStop - page,
      Home: steps.first,
      End: steps.last,
    }[event.key];
    if (to !== undefined) {
      walk(to, event.shiftKey);
    } else if (isInside) return;
    else if (item && (event.key === 'Enter' || event.key === ' ')) {
      if (!event.repeat) act(item);
    } else if (item && 'isCollapsed' in item && event.key === (item.isCollapsed ? 'ArrowRight' : 'ArrowLeft'))
      act(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="process-list-rows" ref={scroller} onKeyDown={onKeyDown}>
      <div
        role="treegrid"
        // Focusable, since the grid has the focus while the busiest row is being determined.
        tabIndex={-1}
        aria-busy={order === 'measuring'}
        aria-label="Processes"
        aria-rowcount={items.length}
        aria-multiselectable={mayChoose}
        style={{ height: virtualizer.getTotalSize() }}
        {...handlers}
      >
        {inSight.map(({ index, start, size }) => {
          const item = items[index];
          if (!item) return null;
          const row: RowProps = {
            role: 'row',
            tabIndex: index === tabStop ? 0 : -1,
            'aria-level': item.level,
            'aria-rowindex': index + 1,
            'data-item': item.id,
            style:
              index === shownTitle
                ? { position: 'sticky', top: 0, height: size }
                : { position: 'absolute', top: start, height: size },
          };
          switch (item.kind) {
            case 'needing':
              return (
                <NeedingRow
                  key={item.id}
                  needing={item.needing}
                  isCollapsed={item.isCollapsed}
                  row={row}
                  onTurn={() => onTurn(item.id)}
                />
              );
            case 'moreFailed':
              return (
                <MoreFailedRow
                  key={item.id}
                  count={item.count}
                  isAll={item.isAll}
                  isCollapsed={item.isCollapsed}
                  row={row}
                  onTurn={() => onTurn(item.id)}
                  onSeen={markAllListedSeen}
                />
              );
            case 'group':
              return (
                <GroupRow
                  key={item.id}
                  group={item.group}
                  isCollapsed={item.isCollapsed}
                  row={row}
                  onTurn={() => onTurn(item.id)}
                />
              );
            case 'older':
              return (
                <OlderRow
                  key={item.id}
                  count={item.count}
                  isCollapsed={item.isCollapsed}
                  row={row}
                  onTurn={() => onTurn(item.id)}
                />
              );
            case 'thread':
              return item.thread === null ? (
                <NoThreadRow key={item.id} count={item.keys.length} row={row} />
              ) : (
                <ThreadRow
                  key={item.id}
                  thread={item.thread}
                  parent={item.parent}
                  keys={item.keys}
                  row={row}
                  onOnly={(thread) => onFilter(filterWord('thread', thread))}
                />
              );
            case 'process':
              return (
                <ProcessRow
                  key={item.id}
                  processKey={item.key}
                  isOpen={openKeys.includes(item.key)}
                  isFocused={focusedKey === item.key}
                  agents={item.namesAgent ? agents : null}
                  row={row}
                  onPick={pick}
                  onFilter={onFilter}
                />
              );
          }
        })}
      </div>
    </div>
  );
}

const markAllListedSeen = (): void => markAllSeen(Object.values(processStore.getState().processes));

const hasMod = ({ ctrlKey, metaKey }: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey'>): boolean =>
  isMac ? metaKey : ctrlKey;

/** Keeps the row with the pointer or focus at its place on the screen when rows above it are added or removed. */
function useHeldPlace(
  scroller: RefObject<HTMLElement | null>,
  items: readonly ListItem[],
  isHeld: boolean,
): void {
  const before = useRef(items);
  useLayoutEffect(() => {
    const former = before.current;
    before.current = items;
    const element = scroller.current;
    if (!isHeld || former === items || !element) return;
    const read =
      element.querySelector<HTMLElement>('[data-item]:hover') ??
      element.querySelector<HTMLElement>('[data-item]:focus-within');
    const id = read?.dataset['item'];
    const [was, is] = [startOf(former, id), startOf(items, id)];
    if (was !== null && is !== null && was !== is) element.scrollBy(0, is - was);
  });
}
