// Commands for panes; none of them affects a process.
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
} from '../state/layout/layout-store.ts';
import { neighbourOf } from '../state/layout/layout-places.ts';
import { loadLayout } from '../state/layout/load-layout.ts';
import { savedLayouts } from '../state/layout/saved-layouts.ts';
import { processStore } from '../state/processes/process-store.ts';
import { groupsOf, groupWith, keysOf, type Side } from '../state/layout/layout-tree.ts';
import { openDialog, showPanes, showProblem } from '../state/page/page-store.ts';
import { isPhone } from '../state/page/platform.ts';
import { inField, onPage, onRow, type Command, type CommandContext } from './command.ts';
import { goToList } from './page-commands.ts';
import { visible } from '../../text/visible.ts';

/** Prefix of the ids of commands that move the focus to a tab, a pane or the list. */
const WAY = 'go-';
const isWay = (id: string): boolean => id.startsWith(WAY);

const SIDES: readonly (readonly [Side, name: string, arrow: string])[] = [
  ['left', 'on the left', 'ArrowLeft'],
  ['right', 'on the right', 'ArrowRight'],
  ['above', 'above', 'ArrowUp'],
  ['below', 'below', 'ArrowDown'],
];

export const layoutCommands = (): readonly Command[] =>
  savedLayouts.getState().saved.map((saved) => ({
    id: `layout-${saved.name}`,
    title: `Load the layout “${visible(saved.name)}”`,
    group: 'Panes',
    when: () => true,
    run: () => loadLayout(saved),
  }));

export const PANE_COMMANDS: readonly Command[] = [
  open('open', 'Open in a tab', 'show view', 'Enter', openPane),
  open('openRight', 'Open to the right', 'split', 'v', (key) => openBeside(key, 'right')),
  open('openBelow', 'Open below', 'split', 's', (key) => openBeside(key, 'below')),
  split('splitRight', 'Open another process to the right …', 'split beside vertical'),
  split('splitBelow', 'Open another process below …', 'split beside horizontal'),
  ofPane({
    id: `${WAY}nextTab`,
    title: 'Next tab',
    keys: [inField('Mod+Shift+PageDown')],
    repeats: true,
    isFor: hasTabs,
    act: () => goToTab(1),
  }),
  ofPane({
    id: `${WAY}previousTab`,
    title: 'Previous tab',
    keys: [inField('Mod+Shift+PageUp')],
    repeats: true,
    isFor: hasTabs,
    act: () => goToTab(-1),
  }),
  ...SIDES.map(([side, name, arrow]) =>
    ofPane({
      id: `${WAY}${side}`,
      title: `Go to the pane ${side === 'left' ? 'or list ' : ''}${name}`,
      words: 'focus switch',
      keys: [inField(`Mod+Shift+${arrow}`)],
      isFor: () => neighbour(side) !== null || side === 'left',
      act: () => go(side),
    }),
  ),
  ...SIDES.map(([side, name, arrow]) =>
    ofPane({
      id: `move-${side}`,
      title: `Move the tab to the pane ${name}, or to a new pane`,
      words: 'split beside',
      keys: [inField(`Mod+Alt+Shift+${arrow}`)],
      isFor: (key) => !isPhone() && (neighbour(side) !== null || hasTabs(key)),
      act: (key) => move(key, side),
    }),
  ),
  ofPane({
    id: 'tabForth',
    title: 'Move the tab right',
    words: 'order',
    isFor: hasTabs,
    act: (key) => shift(key, 1),
  }),
  ofPane({
    id: 'tabBack',
    title: 'Move the tab left',
    words: 'order',
    isFor: hasTabs,
    act: (key) => shift(key, -1),
  }),
  ofPane({
    id: 'zoom',
    title: 'Maximize this pane',
    words: 'restore zoom full screen',
    menu: 'Panes',
    isOn: () => layoutStore.getState().isZoomed,
    keys: [inField('Mod+Shift+Enter'), onPage('z')],
    isFor: isOneOfMany,
    act: () => {
      showPanes();
      toggleZoom();
    },
  }),
  ofPane({
    id: 'resize',
    title: 'Resize panes with the arrow keys',
    words: 'size divider bigger smaller wider',
    menu: 'Panes',
    isFor: isOneOfMany,
    act: resizeByKeys,
  }),
  ofPane({
    id: 'closePane',
    title: 'Close this tab',
    words: 'pane hide',
    menu: 'Panes',
    keys: [inField('Mod+Shift+X')],
    isFor: isOpen,
    act: close,
  }),
  ofPane({
    id: 'closeOthers',
    title: 'Close all other tabs',
    words: 'panes hide only',
    menu: 'Panes',
    isFor: () => keysOf(layoutOf()).length > 1,
    act: closeOthers,
  }),
  {
    id: 'layouts',
    title: 'Layouts: save, load, rename',
    words: 'arrangement workspace store panes',
    group: 'Panes',
    menu: 'Panes',
    when: () => true,
    run: () => openDialog('layouts'),
  },
];

function open(id: string, title: string, words: string, keys: string, act: (key: string) => void): Command {
  return {
    id,
    title,
    words,
    group: 'List',
    keys: [onRow(keys)],
    when: ({ isOnRow }) => isOnRow,
    run: ({ subject }) => {
      if (subject === null) return;
      act(subject);
      showPanes();
    },
  };
}

/** Returns a command that opens the palette to choose the process for the new pane. */
function split(dialog: 'splitRight' | 'splitBelow', title: string, words: string): Command {
  return ofPane({
    id: dialog,
    title,
    words,
    menu: 'Panes',
    isFor: () => !isPhone() && Object.keys(processStore.getState().processes).length > 1,
    act: () => openDialog(dialog),
  });
}

interface PaneCommand extends Pick<Command, 'id' | 'title' | 'words' | 'menu' | 'keys' | 'repeats' | 'isOn'> {
  readonly isFor: (focused: string) => boolean;
  readonly act: (focused: string) => void;
}

function ofPane({ isFor, act, ...command }: PaneCommand): Command {
  const focused = (): string | null => layoutStore.getState().focused;
  return {
    ...command,
    group: 'Panes',
    when: () => {
      const key = focused();
      return key !== null && isFor(key);
    },
    run: (context: CommandContext) => {
      const key = focused();
      // A focus-moving command pressed in the list only returns to the focused pane.
      if (key !== null && isWay(command.id) && context.isInList) goToPane(key);
      else if (key !== null) act(key);
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

/** Moves a tab by one position, wrapping around at both ends. */
function shift(key: string, by: 1 | -1): void {
  const keys = groupWith(layoutOf(), key)?.keys ?? [];
  const to = (keys.indexOf(key) + by + keys.length) % keys.length;
  // The target index still counts the tab at its old position.
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
    showProblem('No room for another pane here: close a pane, or enlarge the window.');
    return;
  }
  movePane(key, beside?.shown ?? key, beside ? beside.keys.length : side);
}

/** Focuses the divider nearest to the pane, so that the divider handles the arrow keys. */
function resizeByKeys(key: string): void {
  const dividers = [...document.querySelectorAll<HTMLElement>('[data-place="divider"]')];
  const pane = document.querySelector(`[role="region"][data-process-key="${CSS.escape(key)}"]`);
  const box = pane?.getBoundingClientRect();
  const distance = (divider: HTMLElement): number => {
    const { left, top, right, bottom } = divider.getBoundingClientRect();
    if (!box) return 0;
    const x = Math.min(Math.abs(left - box.right), Math.abs(right - box.left));
    const y = Math.min(Math.abs(top - box.bottom), Math.abs(bottom - box.top));
    return divider.getAttribute('aria-orientation') === 'vertical' ? x : y;
  };
  dividers.toSorted((a, b) => distance(a) - distance(b))[0]?.focus();
}

function close(key: string): void {
  closePane(key);
  if (layoutStore.getState().layout === null) goToList();
}

function closeOthers(remaining: string): void {
  closePanes(keysOf(layoutOf()).filter((key) => key !== remaining));
}
