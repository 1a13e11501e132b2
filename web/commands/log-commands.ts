// Commands for the view of a pane's output.
import { clockText } from '../../text/amounts.ts';
import {
  pipeViewStore,
  showPipeAs,
  toggleStderrOnly,
  toggleTimes,
  toggleWrap,
  viewOf,
  type PipeView,
} from '../state/page/pipe-view.ts';
import { openDialog, showPanes } from '../state/page/page-store.ts';
import { keysOf } from '../state/layout/layout-tree.ts';
import { goToPane, layoutStore } from '../state/layout/layout-store.ts';
import { processStore } from '../state/processes/process-store.ts';
import { replayingStore, startReplay, stopReplay } from '../state/replay/replaying.ts';
import { hasOutput, onPane, type Command, type CommandContext } from './command.ts';

export const LOG_COMMANDS: readonly Command[] = [
  {
    id: 'replay',
    title: 'Replay',
    words: 'recording play rewind seek scrub history back time',
    group: 'Panes',
    menu: 'Output',
    keys: [onPane('p')],
    when: (context) =>
      !isReplayed(context) &&
      hasOutput(context) &&
      context.subject !== null &&
      context.terminals.get(context.subject) !== undefined,
    run: ({ subject }) => {
      if (subject === null) return;
      goToPane(subject);
      showPanes();
      startReplay(subject);
    },
  },
  {
    id: 'closeReplay',
    title: 'Close replay and return to live output',
    words: 'leave recording now',
    group: 'Panes',
    menu: 'Output',
    when: (context) => isReplayed(context),
    run: ({ subject }) => {
      if (subject !== null) stopReplay(subject);
    },
  },
  {
    id: 'toEnd',
    title: 'Go to the end and follow the output',
    words: 'bottom last tail scroll down newest',
    group: 'Panes',
    menu: 'Output',
    when: ({ subject, terminals }) => subject !== null && terminals.get(subject)?.state.newLines != null,
    run: ({ subject, terminals }) => {
      if (subject !== null) terminals.get(subject)?.toEnd();
    },
  },
  {
    id: 'goToLine',
    title: 'Go to line …',
    words: 'number jump first top beginning',
    group: 'Panes',
    menu: 'Output',
    when: (context) => shownAs(context) === 'log',
    run: () => openDialog('goToLine'),
  },
  showAs('log', 'Show as a log', 'logs lines output'),
  showAs('terminal', 'Show as a terminal', 'tty raw output'),
  {
    id: 'times',
    title: 'Show timestamps',
    words: 'timestamps clock logs hide',
    group: 'Panes',
    menu: 'Output',
    isOn: () => pipeViewStore.getState().hasTimes,
    when: (context) => shownAs(context) === 'log',
    run: toggleTimes,
  },
  {
    id: 'stderrOnly',
    title: 'Show stderr only',
    words: 'filter errors stream stdout all lines',
    group: 'Panes',
    menu: 'Output',
    isOn: ({ subject }) => pipeViewStore.getState().stderrOnly[subject ?? ''] ?? false,
    when: (context) => shownAs(context) === 'log',
    run: ({ subject }) => {
      if (subject !== null) toggleStderrOnly(subject);
    },
  },
  {
    id: 'wrap',
    title: 'Wrap long lines',
    words: 'word wrap softwrap columns horizontal scroll',
    group: 'Panes',
    menu: 'Output',
    isOn: () => pipeViewStore.getState().wraps,
    when: (context) => shownAs(context) === 'log',
    run: toggleWrap,
  },
  {
    id: 'mark',
    title: 'Insert marker',
    words: 'divider separator bookmark',
    group: 'Panes',
    menu: 'Output',
    when: ({ subject, terminals }) => subject !== null && terminals.get(subject) !== undefined,
    run: ({ subject, terminals }) => {
      if (subject !== null) terminals.get(subject)?.divide(`marker · ${clockText(Date.now(), true)}`);
    },
  },
  {
    id: 'clearView',
    title: 'Clear view (output is kept)',
    words: 'empty reset screen scrollback',
    group: 'Panes',
    menu: 'Output',
    // The view of a removed recording is the only place that still has its output.
    when: (context) =>
      hasOutput(context) && context.subject !== null && context.terminals.get(context.subject) !== undefined,
    run: ({ subject, terminals }) => {
      if (subject !== null) terminals.get(subject)?.clear();
    },
  },
  zoomText('larger', 'Increase text size', 'larger bigger font zoom in'),
  zoomText('smaller', 'Decrease text size', 'smaller font zoom out'),
];

const isReplayed = ({ subject }: CommandContext): boolean =>
  subject !== null && replayingStore.getState().asked[subject] !== undefined;

function showAs(view: PipeView, title: string, words: string): Command {
  return {
    id: `show-as-${view}`,
    title,
    words,
    group: 'Panes',
    menu: 'Output',
    when: (context) => {
      const shown = shownAs(context);
      return shown !== null && shown !== view;
    },
    run: ({ subject }) => {
      if (subject !== null) showPipeAs(subject, view, keysOf(layoutStore.getState().layout));
    },
  };
}

/** Returns the pipe view of the process; null for a process with a tty or without a pane. */
function shownAs({ subject, terminals }: CommandContext): PipeView | null {
  if (subject === null || !terminals.get(subject)) return null;
  const info = processStore.getState().processes[subject];
  return !info || info.tty ? null : viewOf(pipeViewStore.getState(), subject);
}

function zoomText(by: 'larger' | 'smaller', title: string, words: string): Command {
  return {
    id: `text-${by}`,
    title,
    words,
    group: 'Panes',
    when: ({ subject, terminals }) => subject !== null && terminals.get(subject) !== undefined,
    run: ({ subject, terminals }) => {
      if (subject !== null) terminals.get(subject)?.zoom(by);
    },
  };
}
