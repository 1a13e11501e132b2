// Palette commands for saved commands: “Run NAME”.
import { mayAct } from '../../client/connection-state.ts';
import type { Command } from './command.ts';
import { openPane } from '../state/layout/layout-store.ts';
import { processStore } from '../state/processes/process-store.ts';
import { errorSentence } from '../../text/error-text.ts';
import { openDialog, showPanes, showProblem } from '../state/page/page-store.ts';
import { visible } from '../../text/visible.ts';
import { whatIsMissing } from '../state/starting/draft.ts';
import { savedCommands } from '../state/starting/saved-commands.ts';
import { startProcess } from '../state/starting/start-process.ts';

export const savedCommandCommands = (): readonly Command[] =>
  savedCommands.getState().saved.map(({ name, draft }) => ({
    id: `run-${name}`,
    title: `Run ${visible(name)}`,
    words: 'saved start launch execute',
    group: 'General',
    when: () => mayAct(processStore.getState().connection),
    run: ({ client, terminals }) => {
      // Open the form when required parts were not saved.
      if (whatIsMissing(draft) !== null) return openDialog('newProcess', name);
      Promise.all([startProcess(client, draft), terminals.load()]).then(
        ([key]) => {
          openPane(key);
          showPanes();
        },
        (error: unknown) => showProblem(errorSentence(error)),
      );
    },
  }));
