// Commands for confirmations and the selection. They precede the other commands for Escape in the table, so that
// Escape first cancels a confirmation or clears the selection.
import { ladderStore, withdraw } from '../state/ending/climb.ts';
import { mayAct } from '../../client/connection-state.ts';
import { clearSelection, selectionStore, toggleSelected } from '../state/ending/selection.ts';
import { layoutStore } from '../state/layout/layout-store.ts';
import { processStore } from '../state/processes/process-store.ts';
import { listView } from '../state/page/list-view.ts';
import { onPage, onRow, type Command } from './command.ts';
import { goToList, goToTerminal, mayWalk, walk } from './page-commands.ts';

export const LADDER_COMMANDS: readonly Command[] = [
  {
    id: 'withdraw',
    title: 'Cancel confirmation',
    group: 'Process',
    isOnlyKeys: true,
    keys: [onPage('Escape')],
    when: () => ladderStore.getState().question !== null,
    run: () => {
      const { question } = ladderStore.getState();
      withdraw();
      const key = CSS.escape(question?.keys[0] ?? '');
      if (question?.place === 'tile')
        document
          .querySelector<HTMLElement>(
            `[data-place="tile"][data-process-key="${key}"], [data-home-key="${key}"]`,
          )
          ?.focus();
      else if (question?.place === 'pane' && layoutStore.getState().focused !== null) goToTerminal();
      else goToList();
    },
  },
  {
    id: 'clearSelection',
    title: 'Clear selection',
    words: 'clear deselect none',
    group: 'List',
    keys: [onPage('Escape')],
    when: ({ isInList }) => isInList && selectionStore.getState().keys.length > 0,
    run: clearSelection,
  },
  {
    id: 'select',
    title: 'Select or deselect the row',
    group: 'List',
    isOnlyKeys: true,
    keys: [onRow('Space')],
    when: ({ isInList }) => isInList && mayAct(processStore.getState().connection),
    run: ({ subject }) => {
      if (subject !== null) toggleSelected(subject);
    },
  },
  {
    id: 'selectDown',
    title: 'Extend selection down',
    group: 'List',
    isOnlyKeys: true,
    keys: [onPage('J'), onPage('Shift+ArrowDown')],
    repeats: true,
    when: mayWalk,
    run: () => walk('next', true),
  },
  {
    id: 'selectUp',
    title: 'Extend selection up',
    group: 'List',
    isOnlyKeys: true,
    keys: [onPage('K'), onPage('Shift+ArrowUp')],
    repeats: true,
    when: mayWalk,
    run: () => walk('previous', true),
  },
  {
    id: 'selectAll',
    title: 'Select all rows',
    group: 'List',
    isOnlyKeys: true,
    keys: [onPage('Mod+A')],
    when: (context) => context.isInList && mayWalk(context),
    run: () => listView.getState().rows?.selectAll(),
  },
];
