// Commands about panes: none of them touches a process.
import {
  closePane,
  closePanes,
  goToPane,
  hasRoomBeside,
  layoutStore,
  movePane,
  openBeside,
  openPane,
  toggleZoom,
} from '../layout/layout-store.ts';
import { neighbourOf } from '../layout/layout-places.ts';
import { loadLayout } from '../layout/load-layout.ts';
import { savedLayouts } from '../layout/saved-layouts.ts';
import { visible } from '../processes/command-line.ts';
import { groupsOf, groupWith, keysOf, type Side } from '../layout/layout-tree.ts';
import { openDialog, showPanes, tellProblem } from '../ui/page-store.ts';
import { isPhone } from '../ui/platform.ts';
import { inTerminal, onPage, onRow, type Binding, type Command, type CommandContext } from './command.ts';
import { goToList } from './page-commands.ts';

/** How the commands are called that only go elsewhere. */
const WAY = 'go-';
const isWay = (id: string): boolean => id.startsWith(WAY);

const SIDES: readonly (readonly [Side, name: string, arrow: string])[] = [
  ['left', 'on the left', 'ArrowLeft'],
  ['right', 'on the right', 'ArrowRight'],
  ['above', 'above', 'ArrowUp'],
  ['below', 'below', 'ArrowDown'],
];

/** One for each that is saved, to be found by its name. */
export const layoutCommands = (): readonly Command[] =>
  savedLayouts.getState().saved.map((saved) => ({
    id: `layout-${saved.name}`,
    title: `Load the layout “${visible(saved.name)}”`,
    group: 'Panes',
    when: () => true,
    run: () => loadLayout(saved),
  }));

export const PANE_COMMANDS: readonly Command[] = [
  open('open', 'Open in a tab', 'Enter', openPane),
  open('openRight', 'Open beside, on the right', 'v', (key) => openBeside(key, 'right')),
  open('openBelow', 'Open beside, below', 's', (key) => openBeside(key, 'below')),
  ofPane(`${WAY}nextTab`, 'Next tab', [inTerminal('Mod+Shift+PageDown')], hasTabs, () => goToTab(1)),
  ofPane(`${WAY}previousTab`, 'Previous tab', [inTerminal('Mod+Shift+PageUp')], hasTabs, () => goToTab(-1)),
  ...SIDES.map(([side, name, arrow]) =>
    ofPane(
      `${WAY}${side}`,
      `Go to the pane ${name}`,
      [inTerminal(`Mod+Shift+${arrow}`)],
      () => neighbour(side) !== null || side === 'left',
      () => go(side),
    ),
  ),
  ...SIDES.map(([side, name, arrow]) =>
    ofPane(
      `move-${side}`,
      `Move the tab to the pane ${name}, or to a new one`,
      [inTerminal(`Mod+Alt+Shift+${arrow}`)],
      (key) => !isPhone() && (neighbour(side) !== null || hasTabs(key)),
      (key) => move(key, side),
    ),
  ),
  ofPane('tabForth', 'Move the tab one to the right among its tabs', [], hasTabs, (key) => shift(key, 1)),
  ofPane('tabBack', 'Move the tab one to the left among its tabs', [], hasTabs, (key) => shift(key, -1)),
  ofPane(
    'zoom',
    'Zoom this pane, and back',
    [inTerminal('Mod+Shift+Enter'), onPage('z')],
    isOneOfMany,
    () => {
      showPanes();
      toggleZoom();
    },
  ),
  ofPane('resize', 'Resize panes with the arrow keys', [], isOneOfMany, resizeByKeys),
  ofPane('closePane', 'Close this tab (the process runs on)', [inTerminal('Mod+Shift+X')], isOpen, close),
  {
    id: 'layouts',
    title: 'Layouts: save, load, rename',
    group: 'Panes',
    isInMenu: true,
    when: () => true,
    run: () => openDialog('layouts'),
  },
  ofPane('closeOthers', 'Close all other tabs', [], () => keysOf(layoutOf()).length > 1, closeOthers),
];

function open(id: string, title: string, keys: string, run: (key: string) => void): Command {
  return {
    id,
    title,
    group: 'List',
    keys: [onRow(keys)],
    when: ({ isOnRow }) => isOnRow,
    run: ({ subject }) => {
      if (subject === null) return;
      run(subject);
      showPanes();
    },
  };
}

function ofPane(
  id: string,
  title: string,
  keys: readonly Binding[],
  when: (focused: string) => boolean,
  run: (focused: string) => void,
): Command {
  const focused = (): string | null => layoutStore.getState().focused;
  return {
    id,
    title,
    group: 'Panes',
    keys,
    // These are for the keyboard; a pointer clicks where it wants to be, and drags a tab where it is to be.
    isInMenu: !isWay(id) && !id.startsWith('tab'),
    when: () => {
      const key = focused();
      return key !== null && when(key);
    },
    run: (context: CommandContext) => {
      const key = focused();
      // From the list the way into the panes comes first, whichever it is.
      if (key !== null && isWay(id) && context.isInList) goToPane(key);
      else if (key !== null) run(key);
    },
  };
}

const layoutOf = () => layoutStore.getState().layout;
const neighbour = (side: Side) => neighbourOf(layoutOf(), layoutStore.getState().focused, side);

function isOpen(key: string): boolean {
  return groupWith(layoutOf(), key) !== null;
}

function hasTabs(key: string): boolean {
  return (groupWith(layoutOf(), key)?.keys.length ?? 0) > 1;
}

function isOneOfMany(): boolean {
  return !isPhone() && groupsOf(layoutOf()).length > 1;
}

function goToTab(by: 1 | -1): void {
  const { layout, focused } = layoutStore.getState();
  const keys = groupWith(layout, focused)?.keys ?? [];
  const at = keys.findIndex((key) => key === focused);
  const next = keys[(at + by + keys.length) % keys.length];
  if (next !== undefined) goToPane(next);
}

/** From the last place to the first, and back. */
function shift(key: string, by: 1 | -1): void {
  const keys = groupWith(layoutOf(), key)?.keys ?? [];
  const to = (keys.indexOf(key) + by + keys.length) % keys.length;
  // A place is counted with the tab still in its own.
  movePane(key, key, to > keys.indexOf(key) ? to + 1 : to);
}

function go(side: Side): void {
  const beside = neighbour(side);
  if (beside) goToPane(beside.shown);
  else goToList();
}

function move(key: string, side: Side): void {
  const beside = neighbour(side);
  if (!beside && !hasRoomBeside(key, key, side)) {
    tellProblem('There is no room for one more pane there: close one, or make the window larger.');
    return;
  }
  movePane(key, beside?.shown ?? key, beside ? beside.keys.length : side);
}

/** To the divider that is nearest: its own arrow keys do it. */
function resizeByKeys(key: string): void {
  const dividers = [...document.querySelectorAll<HTMLElement>('.divider')];
  const pane = document.querySelector(`[role="region"][data-process-key="${CSS.escape(key)}"]`);
  const box = pane?.getBoundingClientRect();
  const distance = (divider: HTMLElement): number => {
    const { left, top, right, bottom } = divider.getBoundingClientRect();
    if (!box) return 0;
    const x = Math.min(Math.abs(left - box.right), Math.abs(right - box.left));
    const y = Math.min(Math.abs(top - box.bottom), Math.abs(bottom - box.top));
    return divider.classList.contains('row') ? x : y;
  };
  dividers.toSorted((a, b) => distance(a) - distance(b))[0]?.focus();
}

function close(key: string): void {
  closePane(key);
  if (layoutStore.getState().layout === null) goToList();
}

function closeOthers(kept: string): void {
  closePanes(keysOf(layoutOf()).filter((key) => key !== kept));
}
