// Commands about what is asked and what is selected: before all others, since their Escape is the nearest.
import { ladderStore, withdraw } from '../ladder/climb.ts';
import { layoutStore } from '../layout/layout-store.ts';
import { onPage, type Command } from './command.ts';
import { goToList, goToTerminal } from './page-commands.ts';

export const LADDER_COMMANDS: readonly Command[] = [
  {
    id: 'withdraw',
    title: 'Take the question back',
    group: 'Process',
    isOnlyKeys: true,
    keys: [onPage('Escape')],
    when: () => ladderStore.getState().question !== null,
    run: () => {
      const isOfPane = ladderStore.getState().question?.place === 'pane';
      withdraw();
      if (isOfPane && layoutStore.getState().focused !== null) goToTerminal();
      else goToList();
    },
  },
];
