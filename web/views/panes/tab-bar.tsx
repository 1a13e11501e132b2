// Tabs of a group: chosen by click, arrow keys or, if they do not fit, a list, and draggable to any group.
import { ChevronDown, Maximize2, Minimize2, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/shallow';
import { commandLine } from '../../../text/command-line.ts';
import { isLive, isWaiting, stateText, statusOf } from '../../../text/process-words.ts';
import { processStore } from '../../state/processes/process-store.ts';
import { distinctions, processTitle, titleAmong } from '../../state/processes/process-title.ts';
import { isTitleCut, ShortTitle } from '../../parts/short-title.tsx';
import { StatusIcon } from '../../parts/status-icon.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { MenuButton, type MenuPart } from '../../parts/menu-button.tsx';
import {
  closePane,
  focusPane,
  goToPane,
  layoutStore,
  movePane,
  toggleZoom,
} from '../../state/layout/layout-store.ts';
import { setTabCut } from '../../state/layout/cut-tabs.ts';
import { keysOf, type Group } from '../../state/layout/layout-tree.ts';
import { draggedPane, dragPane } from '../../state/layout/pane-drag.ts';
import { visible } from '../../../text/visible.ts';
import { clientNameOf } from '../../state/processes/client-name.ts';
import { agentTitle } from '../../../text/client-title.ts';

const UNKNOWN = 'Unknown process';

interface TabBarProps {
  readonly group: Group;
  readonly isFocused: boolean;
  /** True when there are other groups that a zoom would hide. */
  readonly mayZoom: boolean;
}

export function TabBar({ group, isFocused, mayZoom }: TabBarProps) {
  const isZoomed = useStore(layoutStore, (state) => state.isZoomed);
  const { dropAt, handlers } = useTabDrop(group);
  const distinct = useDistinctions();
  const list = useRef<HTMLDivElement>(null);
  const isCut = useIsCut(list, group.keys.length);
  return (
    <div className={`tab-bar ${isFocused ? 'focused' : ''}`} {...handlers}>
      <div
        ref={list}
        role="tablist"
        aria-label="Open processes"
        className="tabs"
        // Most mouse wheels scroll only vertically.
        onWheel={({ currentTarget, deltaX, deltaY }) => currentTarget.scrollBy(deltaX === 0 ? deltaY : 0, 0)}
        onKeyDown={(event) => moveByKeys(event, group)}
      >
        {group.keys.map((key, index) => (
          <Tab
            key={key}
            processKey={key}
            distinction={distinct[key] ?? null}
            isShown={key === group.shown}
            drop={dropAt === index ? 'before' : dropAt === index + 1 ? 'after' : undefined}
          />
        ))}
      </div>
      {isCut ? (
        <MenuButton icon={ChevronDown} label="All tabs" partsNow={() => tabItems(group, distinct)} />
      ) : null}
      {mayZoom || isZoomed ? (
        <IconButton
          icon={isZoomed ? Minimize2 : Maximize2}
          label="Maximize this pane"
          hint={isZoomed ? 'Show all panes' : 'Maximize this pane'}
          pressed={isZoomed}
          onClick={() => {
            focusPane(group.shown);
            toggleZoom();
          }}
        />
      ) : null}
    </div>
  );
}

/** Distinguishing text of each open process by key, across all groups. */
type Distinctions = { readonly [key: string]: string };

function useDistinctions(): Distinctions {
  const keys = useStore(
    layoutStore,
    useShallow(({ layout }) => keysOf(layout)),
  );
  return useStore(
    processStore,
    useShallow(({ processes }) =>
      Object.fromEntries(distinctions(keys.flatMap((key) => processes[key] ?? []))),
    ),
  );
}

/** True when there are several tabs and not all of them fit. */
function useIsCut(list: { readonly current: HTMLElement | null }, count: number): boolean {
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = (): void => setCut(count > 1 && element.scrollWidth > element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [list, count]);
  return isCut;
}

function tabItems({ keys, shown }: Group, distinct: Distinctions): readonly MenuPart[] {
  const { processes } = processStore.getState();
  const items = keys.map((key) => {
    const info = processes[key];
    return {
      id: key,
      content: (
        <>
          <span className="tab-item">
            <StatusIcon
              status={info ? statusOf(info) : 'lost'}
              isWaiting={info !== undefined && isWaiting(info)}
            />
            <span className="tab-text">{info ? titleAmong(processes, info) : UNKNOWN}</span>
          </span>
          <span className="tab-distinction">{distinct[key] ?? ''}</span>
        </>
      ),
      isCurrent: key === shown,
      onChoose: () => goToPane(key),
    };
  });
  return [{ name: 'Tabs', items }];
}

export const tabId = (key: string): string => `tab-${key}`;
export const panelId = (key: string): string => `panel-${key}`;

interface TabProps {
  readonly processKey: string;
  /** Text that distinguishes the process from others of the same name; null if it needs none. */
  readonly distinction: string | null;
  readonly isShown: boolean;
  readonly drop: 'before' | 'after' | undefined;
}

function Tab({ processKey, distinction, isShown, drop }: TabProps) {
  const info = useStore(processStore, (state) => state.processes[processKey]);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const bar = element.current?.parentElement;
    if (!isShown || !bar) return;
    const show = (): void => element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    // Keep the tab in view when the bar gets narrower or an earlier tab wider.
    const observer = new ResizeObserver(show);
    for (const each of [bar, ...bar.children]) observer.observe(each);
    return () => observer.disconnect();
  }, [isShown]);
  const clientName = useStore(processStore, ({ sessions }) => (info ? clientNameOf(info, sessions) : null));
  const title = useStore(processStore, ({ processes }) => {
    const known = processes[processKey];
    return known ? processTitle(known) : UNKNOWN;
  });
  useEffect(() => {
    const text = element.current?.querySelector('.tab-text');
    if (!isShown || !text) return;
    const observer = new ResizeObserver(() => setTabCut(processKey, isTitleCut(text)));
    observer.observe(text);
    return () => {
      observer.disconnect();
      setTabCut(processKey, false);
    };
    // The title is a dependency because a longer title needs a new measurement but does not resize the box.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [processKey, isShown, title]);
  const name = distinction === null ? title : `${title} ${distinction}`;
  const status = info ? stateText(info) : 'lost';
  const hasNewOutput = useNewOutput(info?.outputBytes ?? null, isShown);
  return (
    <div
      ref={element}
      className={`tab ${isShown ? 'shown' : ''}`}
      data-drop={drop}
      title={
        info
          ? [
              commandLine(info.argv),
              visible(info.cwd),
              agentTitle({ clientName, startedBy: info.startedBy }),
              status,
            ].join('\n')
          : undefined
      }
      draggable
      onDragStart={(event) => dragPane(event.dataTransfer, processKey)}
      onAuxClick={(event) => {
        if (event.button === 1) closePane(processKey);
      }}
    >
      <button
        type="button"
        role="tab"
        id={tabId(processKey)}
        className="tab-name"
        aria-selected={isShown}
        aria-controls={isShown ? panelId(processKey) : undefined}
        aria-label={`${name}, ${status}${hasNewOutput ? ', new output' : ''}`}
        tabIndex={isShown ? 0 : -1}
        onClick={() => goToPane(processKey)}
        onDoubleClick={toggleZoom}
      >
        <StatusIcon
          status={info ? statusOf(info) : 'lost'}
          isWaiting={info !== undefined && isWaiting(info)}
        />
        <ShortTitle processKey={processKey} className="tab-text" unknown={UNKNOWN} />
        {distinction === null ? null : <span className="tab-distinction">{distinction}</span>}
        {hasNewOutput ? <span className="tab-new" title="New output since you last viewed this tab" /> : null}
      </button>
      {/* Close button for the mouse; the keyboard has Delete, and the pane has a button that works for everyone. */}
      <button
        type="button"
        className="tab-close"
        data-repeats="closeTab"
        aria-hidden="true"
        tabIndex={-1}
        title={info && isLive(info) ? 'Close tab (keeps the process running)' : 'Close tab'}
        onClick={() => closePane(processKey)}
      >
        <X size={13} />
      </button>
    </div>
  );
}

/** True when the process has printed something since its tab was last visible. */
function useNewOutput(outputBytes: number | null, isShown: boolean): boolean {
  const [seenBytes, setSeenBytes] = useState(outputBytes);
  // The list arrives with a delay after a reload, and its first byte count includes only old output.
  if ((isShown || seenBytes === null) && seenBytes !== outputBytes) setSeenBytes(outputBytes);
  return !isShown && (outputBytes ?? 0) > (seenBytes ?? 0);
}

function moveByKeys(event: KeyboardEvent<HTMLElement>, { keys, shown }: Group): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const at = keys.indexOf(shown);
  const last = keys.length - 1;
  const to = {
    ArrowLeft: at === 0 ? last : at - 1,
    ArrowRight: at === last ? 0 : at + 1,
    Home: 0,
    End: last,
  }[event.key];
  const key = keys[to ?? -1];
  if (key !== undefined) {
    event.preventDefault();
    focusPane(key);
    document.getElementById(tabId(key))?.focus();
  } else if (event.key === 'Delete') {
    event.preventDefault();
    if (!event.repeat) closePane(shown);
  }
}

/** Handles drops onto the tab bar: before the first tab whose centre is right of the pointer, otherwise at the end. */
function useTabDrop(group: Group) {
  const [dropAt, setDropAt] = useState<number | null>(null);
  const indexAt = ({ currentTarget, clientX }: DragEvent<HTMLElement>): number => {
    const tabs = [...currentTarget.querySelectorAll('.tab')].map((tab) => tab.getBoundingClientRect());
    const index = tabs.findIndex(({ left, width }) => clientX < left + width / 2);
    return index < 0 ? tabs.length : index;
  };
  return {
    dropAt,
    handlers: {
      onDragOver: (event: DragEvent<HTMLElement>) => {
        if (draggedPane(event.dataTransfer) === null) return;
        event.preventDefault();
        setDropAt(indexAt(event));
      },
      onDragLeave: (event: DragEvent<HTMLElement>) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropAt(null);
      },
      onDrop: (event: DragEvent<HTMLElement>) => {
        setDropAt(null);
        const key = draggedPane(event.dataTransfer);
        if (key === null) return;
        event.preventDefault();
        movePane(key, group.shown, indexAt(event));
      },
    },
  };
}
