// A command of the palette for each command that was saved: “Run NAME”.
import type { Command } from '../commands/command.ts';
import { openPane } from '../layout/layout-store.ts';
import { processStore } from '../processes/process-store.ts';
import { errorText } from '../ui/error-text.ts';
import { showPanes, tellProblem } from '../ui/page-store.ts';
import { visible } from '../../server/protocol/visible.ts';
import { savedCommands } from './saved-commands.ts';
import { startProcess } from './start-process.ts';

export const savedCommandCommands = (): readonly Command[] =>
  savedCommands.getState().saved.map(({ name, draft }) => ({
    id: `run-${name}`,
    title: `Run ${visible(name)}`,
    words: 'saved start launch execute',
    group: 'General',
    when: () => !processStore.getState().mayOnlyLook,
    run: ({ client, terminals }) => {
      Promise.all([startProcess(client, draft), terminals.load()]).then(
        ([key]) => {
          openPane(key);
          showPanes();
        },
        (error: unknown) => tellProblem(errorText(error)),
      );
    },
  }));
