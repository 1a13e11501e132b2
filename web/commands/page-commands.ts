// Commands for the page itself and its list.
import type { ProcessInfo } from '../../protocol/console.ts';
import { goToPane, layoutStore } from '../state/layout/layout-store.ts';
import { clearedProcesses, clearFinished, isCleared } from '../state/processes/cleared-processes.ts';
import { listOrder, toggleBusiest } from '../state/processes/list-order.ts';
import { isLive } from '../../text/process-words.ts';
import { mayAct } from '../../client/connection-state.ts';
import { whyNotMeasure, whyNotStart } from '../state/processes/why-not-start.ts';
import { processStore } from '../state/processes/process-store.ts';
import { listView, type Step } from '../state/page/list-view.ts';
import { chooseTheme, THEMES, themeStore, themeTitle } from '../state/page/theme-store.ts';
import { openDialog, pageStore, showList, showPanes, toggleWall } from '../state/page/page-store.ts';
import { isGuest } from '../state/page/storage.ts';
import { setTileSize, stepTileSize } from '../state/page/wall-size.ts';
import { inField, onPage, type Command, type CommandContext } from './command.ts';

const always = (): boolean => true;

export const PAGE_COMMANDS: readonly Command[] = [
  {
    id: 'palette',
    title: 'Find a command or a process',
    group: 'General',
    keys: [inField('Mod+Shift+P'), onPage('Mod+K')],
    when: always,
    run: () => openDialog('palette'),
  },
  {
    id: 'help',
    title: 'Keyboard shortcuts',
    words: 'shortcuts hotkeys bindings how',
    group: 'General',
    keys: [inField('F1'), onPage('?')],
    when: always,
    run: () => openDialog('help'),
  },
  {
    id: 'newProcess',
    title: 'New process',
    words: 'start run launch execute command spawn create',
    group: 'General',
    keys: [onPage('n')],
    when: () => mayAct(processStore.getState().connection),
    whyNot: () => {
      const { isReadOnly, connection } = processStore.getState();
      return isReadOnly
        ? 'Read-only: you need an operator’s link to start processes.'
        : whyNotStart(connection);
    },
    run: () => openDialog('newProcess'),
  },
  {
    id: 'searchOutput',
    title: 'Search in all output',
    words: 'find grep logs text',
    group: 'General',
    keys: [inField('Mod+Shift+S')],
    when: always,
    run: () => openDialog('search'),
  },
  {
    id: 'history',
    title: 'History: all processes',
    words: 'yesterday past earlier timeline recordings before failed',
    group: 'General',
    keys: [],
    when: () => !isGuest,
    run: () => openDialog('history'),
  },
  {
    id: 'away',
    title: 'While you were away: ended, failed and approved',
    words: 'report since absence summary agents last visit',
    group: 'General',
    keys: [],
    when: () => !isGuest,
    run: () => openDialog('away'),
  },
  {
    id: 'wall',
    title: 'Wall: all running processes',
    words: 'overview dashboard tiles grid all thumbnails',
    group: 'General',
    keys: [onPage('w'), inField('Mod+Shift+G')],
    when: () => !pageStore.getState().isWall,
    run: toggleWall,
  },
  {
    id: 'leaveWall',
    title: 'Leave the wall',
    words: 'exit back panes',
    group: 'General',
    keys: [onPage('w'), onPage('Escape'), inField('Mod+Shift+G')],
    when: () => pageStore.getState().isWall,
    run: leaveWall,
  },
  {
    id: 'largerTiles',
    title: 'Increase tile size on the wall',
    words: 'larger bigger zoom in density fewer',
    group: 'General',
    keys: [onPage('+')],
    repeats: true,
    when: () => pageStore.getState().isWall,
    run: () => stepTileSize(1),
  },
  {
    id: 'smallerTiles',
    title: 'Decrease tile size on the wall',
    words: 'smaller zoom out density more',
    group: 'General',
    keys: [onPage('-')],
    repeats: true,
    when: () => pageStore.getState().isWall,
    run: () => stepTileSize(-1),
  },
  {
    id: 'fitTiles',
    title: 'Fit all tiles on the wall',
    words: 'zoom auto density everything',
    group: 'General',
    keys: [onPage('0')],
    when: () => pageStore.getState().isWall,
    run: () => setTileSize('auto'),
  },
  {
    id: 'settings',
    title: 'Settings: font, scrollback, cursor, bell, theme',
    words: 'preferences options config size',
    group: 'General',
    keys: [onPage(','), onPage('Mod+,')],
    when: always,
    run: () => openDialog('settings'),
  },
  ...THEMES.map((theme): Command => ({
    id: `${theme}Theme`,
    title: themeTitle(theme),
    words: 'colours colors mode bright night appearance',
    group: 'General',
    when: () => themeStore.getState().theme !== theme,
    run: () => chooseTheme(theme),
  })),
];

export const LIST_COMMANDS: readonly Command[] = [
  {
    id: 'goToList',
    title: 'Go to the list',
    words: 'sidebar processes focus',
    group: 'List',
    keys: [inField('Mod+Shift+L')],
    // The command is not a toggle: pressing its keys in the list leaves the focus there.
    when: always,
    run: goToList,
  },
  {
    id: 'goToTerminal',
    title: 'Back to the terminal',
    group: 'List',
    keys: [onPage('Escape')],
    when: ({ isInList }) => isInList && layoutStore.getState().focused !== null,
    run: goToTerminal,
  },
  {
    id: 'nextRow',
    title: 'Next row',
    group: 'List',
    isOnlyKeys: true,
    keys: [onPage('j'), onPage('ArrowDown')],
    repeats: true,
    when: mayWalk,
    run: () => walk('next'),
  },
  {
    id: 'previousRow',
    title: 'Previous row',
    group: 'List',
    isOnlyKeys: true,
    keys: [onPage('k'), onPage('ArrowUp')],
    repeats: true,
    when: mayWalk,
    run: () => walk('previous'),
  },
  {
    id: 'firstRow',
    title: 'First row',
    group: 'List',
    isOnlyKeys: true,
    keys: [onPage('g g')],
    when: hasRows,
    run: () => walk('first'),
  },
  {
    id: 'lastRow',
    title: 'Last row',
    group: 'List',
    isOnlyKeys: true,
    keys: [onPage('G')],
    when: hasRows,
    run: () => walk('last'),
  },
  {
    id: 'filter',
    title: 'Filter the list',
    words: 'find failed running waiting status search processes',
    group: 'List',
    keys: [onPage('/')],
    when: always,
    run: () => {
      showList();
      listView.getState().filter?.();
    },
  },
  {
    id: 'busiestFirst',
    title: 'Busiest first',
    words: 'cpu sort top order load',
    group: 'List',
    keys: [onPage('b')],
    when: () => !listOrder.getState().isBusiest && whyNotMeasure(processStore.getState().connection) === null,
    whyNot: () => (listOrder.getState().isBusiest ? null : whyNotMeasure(processStore.getState().connection)),
    run: byBusiest,
  },
  {
    id: 'byAgent',
    title: 'Group by agent and thread',
    words: 'sort group order',
    group: 'List',
    keys: [onPage('b')],
    when: () => listOrder.getState().isBusiest,
    run: byBusiest,
  },
  {
    id: 'clearFinished',
    title: 'Clear finished processes from the list',
    words: 'remove hide exited failed done clean delete',
    group: 'List',
    when: () => Object.values(processStore.getState().processes).some(isClearable),
    run: () => clearFinished(Object.values(processStore.getState().processes)),
  },
];

const isClearable = (info: ProcessInfo): boolean =>
  !isLive(info) && !isCleared(info, clearedProcesses.getState());

function byBusiest(): void {
  showList();
  // An element outside the list loses the focus, so that the list can focus the busiest row.
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && !activeElement.closest('[role="treegrid"]'))
    activeElement.blur();
  toggleBusiest();
}

function hasRows(): boolean {
  return listView.getState().rows !== null;
}

/** True when keys may move among the rows: tabs and dividers use the arrow keys themselves. */
export function mayWalk({ isInList, isOnPane }: CommandContext): boolean {
  return (isInList || isOnPane || document.activeElement === document.body) && hasRows();
}

export function goToList(): void {
  showList();
  const { rows } = listView.getState();
  if (rows) rows.focus();
  // An empty list cannot take the focus, but the terminal must still lose it.
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

export function goToTerminal(): void {
  const { focused } = layoutStore.getState();
  showPanes();
  if (focused !== null) goToPane(focused);
}

function leaveWall(): void {
  toggleWall();
  goToTerminal();
}

/** Moves among the rows. From outside the list, a step to the next or previous row only focuses the list. */
export function walk(step: Step, isExtended = false): void {
  if (listView.getState().rows?.step(step, isExtended)) return;
  goToList();
  if (step === 'first' || step === 'last') listView.getState().rows?.step(step, isExtended);
}
