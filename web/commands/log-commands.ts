// Commands about how a pane's output is shown.
import { pipeViewStore, showPipeAs, toggleTimes, viewOf, type PipeView } from '../log/pipe-view.ts';
import { keysOf } from '../layout/layout-tree.ts';
import { layoutStore } from '../layout/layout-store.ts';
import { processStore } from '../processes/process-store.ts';
import type { Command, CommandContext } from './command.ts';

export const LOG_COMMANDS: readonly Command[] = [
  showAs('log', 'Show as a log'),
  showAs('terminal', 'Show as a terminal'),
  {
    id: 'times',
    title: 'Times in the log, or none',
    group: 'Panes',
    isInMenu: true,
    when: (context) => shownAs(context) === 'log',
    run: toggleTimes,
  },
  zoomText('larger', 'Larger text'),
  zoomText('smaller', 'Smaller text'),
];

function showAs(view: PipeView, title: string): Command {
  return {
    id: `show-as-${view}`,
    title,
    group: 'Panes',
    isInMenu: true,
    when: (context) => {
      const shown = shownAs(context);
      return shown !== null && shown !== view;
    },
    run: ({ subject }) => {
      if (subject !== null) showPipeAs(subject, view, keysOf(layoutStore.getState().layout));
    },
  };
}

/** Null for what has a tty, or no pane. */
function shownAs({ subject, terminals }: CommandContext): PipeView | null {
  if (subject === null || !terminals.get(subject)) return null;
  const info = processStore.getState().processes[subject];
  return !info || info.tty ? null : viewOf(pipeViewStore.getState(), subject);
}

function zoomText(by: 'larger' | 'smaller', title: string): Command {
  return {
    id: `text-${by}`,
    title,
    group: 'Panes',
    when: ({ subject, terminals }) => subject !== null && terminals.get(subject) !== undefined,
    run: ({ subject, terminals }) => {
      if (subject !== null) terminals.get(subject)?.zoom(by);
    },
  };
}
