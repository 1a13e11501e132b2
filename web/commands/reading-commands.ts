// Commands about how the focused pane is read.
import { layoutStore } from '../layout/layout-store.ts';
import { keysOf } from '../layout/layout-tree.ts';
import { pipeViewStore, showPipeAs, toggleTimes, viewOf, type PipeView } from '../log/pipe-view.ts';
import type { Command, CommandContext } from './command.ts';

export const READING_COMMANDS: readonly Command[] = [
  showAs('log', 'Show as log'),
  showAs('terminal', 'Show as terminal'),
  {
    id: 'logTimes',
    title: 'Times in logs: when each line was printed',
    group: 'Panes',
    when: (context) => shownView(context) === 'log',
    run: toggleTimes,
  },
];

function showAs(view: PipeView, title: string): Command {
  return {
    id: `showAs-${view}`,
    title,
    group: 'Panes',
    when: (context) => {
      const shown = shownView(context);
      return shown !== null && shown !== view;
    },
    run: ({ subject }) => {
      if (subject !== null) showPipeAs(subject, view, keysOf(layoutStore.getState().layout));
    },
  };
}

/** How the pane is shown; null of one with a tty, or of none. */
function shownView({ subject, terminals }: CommandContext): PipeView | null {
  if (subject === null || !terminals.get(subject)?.log) return null;
  return viewOf(pipeViewStore.getState(), subject);
}
