// Commands for the process whose row, tile or pane has the focus.
import type { ProcessInfo } from '../../protocol/console.ts';
import type { SignalName } from '../../protocol/signals.ts';
import { mayAct } from '../../client/connection-state.ts';
import { ableOf, climb, type Climb } from '../state/ending/climb.ts';
import type { Step } from '../state/ending/ladder.ts';
import { takesTyping } from '../state/processes/ready-to-type.ts';
import { meantBy } from '../state/ending/selection.ts';
import { focusPane, layoutStore } from '../state/layout/layout-store.ts';
import { isLive, isSuspended } from '../../text/process-words.ts';
import { mayBeGiven } from '../state/processes/people.ts';
import { processStore } from '../state/processes/process-store.ts';
import {
  endAndStartAgain,
  isOver,
  mayBeEndedAndRestarted,
  mayRunWithoutSandbox,
  startAgain,
  startAgainWithoutSandbox,
} from '../state/starting/restart.ts';
import { startSearch } from '../state/page/searching.ts';
import { openDialog, pageStore, showPanes, showProblem } from '../state/page/page-store.ts';
import {
  infoOf,
  inField,
  inTerminal,
  onPage,
  onPane,
  onRow,
  type Command,
  type CommandContext,
  rowPlace,
} from './command.ts';
import { refusalSentence } from '../state/page/refusal.ts';

/**
 * Returns one command for each other person who can be given control of the terminal, and one for the user's other
 * tab; none for a process without a tty or one that has ended.
 */
export function giveControlCommands(context: CommandContext): readonly Command[] {
  const { people, connection } = processStore.getState();
  const info = infoOf(context);
  if (!info?.tty || !isLive(info)) return [];
  return mayBeGiven({ people, connection }, info.controller).flatMap(({ name, isOwn, connections }) => {
    const to = connections.at(-1);
    if (to === undefined) return [];
    return ofProcess({
      id: `giveControl-${to}`,
      title: isOwn ? 'Move control to your other tab' : `Give control to ${name}`,
      words: 'hand over share',
      menu: 'Process',
      isFor: () => true,
      act: ({ client }, { key }) => client.connection.request('process/control', { key, take: true, to }),
    });
  });
}

export const PROCESS_COMMANDS: readonly Command[] = [
  {
    id: 'about',
    title: 'About this process …',
    words: 'details info pid folder ports thread agent started copy command',
    group: 'Process',
    keys: [onRow('a')],
    menu: 'Process',
    when: (context) => infoOf(context) !== undefined,
    run: () => openDialog('about'),
  },
  ofProcess({
    id: 'pin',
    title: 'Keep running when its session ends',
    hint: 'An agent such as Codex can still end it itself.',
    words: 'pin keep alive outlive agent background',
    menu: 'Process',
    isFor: (info) => isLive(info) && info.session !== 'console' && info.pinnedBy === null,
    act: ({ client }, { key }) => client.connection.request('process/pin', { key, pinned: true }),
  }),
  ofProcess({
    id: 'unpin',
    title: 'Let it end with its session',
    words: 'unpin release',
    menu: 'Process',
    isFor: (info) => isLive(info) && info.pinnedBy !== null,
    act: ({ client }, { key }) => client.connection.request('process/pin', { key, pinned: false }),
  }),
  {
    id: 'search',
    title: 'Search in this pane',
    words: 'find grep text',
    group: 'Panes',
    keys: [inField('Mod+Shift+F'), onPage('Mod+F')],
    menu: 'Output',
    when: ({ subject, terminals }) => subject !== null && terminals.get(subject) !== undefined,
    run: ({ subject }) => {
      if (subject === null) return;
      // The pane may be a hidden tab, or behind the wall.
      focusPane(subject);
      showPanes();
      startSearch(subject);
    },
  },
  ofProcess({
    id: 'type',
    title: 'Type into this terminal',
    words: 'keyboard input enter focus write answer',
    menu: 'Process',
    keys: [onPane('Enter')],
    isFor: (info, { terminals }) => takesTyping(info) && terminals.get(info.key)?.state.hasKeyboard === false,
    act: ({ terminals }, { key }) => {
      terminals.get(key)?.focus();
      return undefined;
    },
  }),
  {
    id: 'stopTyping',
    title: 'Stop typing: return the keyboard to the page',
    words: 'keyboard leave terminal focus escape',
    group: 'Process',
    keys: [inTerminal('Mod+Shift+L')],
    when: ({ subject, terminals }) => subject !== null && terminals.get(subject)?.state.hasKeyboard === true,
    run: () => document.activeElement?.closest<HTMLElement>('[data-place="pane"]')?.focus(),
  },
  ofProcess({
    id: 'interrupt',
    title: 'Interrupt (SIGINT)',
    words: 'stop cancel break abort ctrl c',
    isDangerous: true,
    menu: 'Process',
    keys: [onRow('i i')],
    again: again('interrupt'),
    isFor: mayTake('interrupt'),
    act: step('interrupt'),
  }),
  ofProcess({
    id: 'takeControl',
    title: 'Take control: this pane sets the terminal’s size',
    words: 'resize fit type scroll own',
    menu: 'Process',
    isFor: (info, { terminals }) =>
      info.tty && isLive(info) && terminals.get(info.key)?.process.controlled === false,
    act: ({ terminals }, { key }) => terminals.get(key)?.process.control(true),
  }),
  ofProcess({
    id: 'giveUpControl',
    title: 'Release control of the terminal’s size',
    words: 'release watch resize',
    menu: 'Process',
    isFor: (info, { terminals }) => isLive(info) && terminals.get(info.key)?.process.controlled === true,
    act: ({ terminals }, { key }) => terminals.get(key)?.process.control(false),
  }),
  ofProcess({
    id: 'restart',
    title: 'Restart',
    words: 'rerun run start again repeat',
    menu: 'Process',
    keys: [onRow('r r')],
    again: againRestart,
    isFor: isOver,
    act: startAgain,
  }),
  ofProcess({
    id: 'restartWithoutSandbox',
    title: 'Run again without the sandbox',
    words: 'retry denied escalate permission restart',
    menu: 'Process',
    isFor: mayRunWithoutSandbox,
    act: startAgainWithoutSandbox,
  }),
  ofProcess({
    id: 'startLike',
    title: 'Duplicate and edit …',
    words: 'restart rerun run repeat start like copy again',
    menu: 'Process',
    isFor: () => true,
    act: () => {
      openDialog('startLike');
      return undefined;
    },
  }),
  ofProcess({
    id: 'suspend',
    title: 'Suspend (SIGTSTP)',
    words: 'pause freeze halt',
    isDangerous: true,
    menu: 'End',
    isFor: (info) => isLive(info) && !isSuspended(info),
    act: signal('suspend'),
  }),
  ofProcess({
    id: 'resume',
    title: 'Resume (SIGCONT)',
    words: 'continue unpause',
    menu: 'End',
    isFor: isSuspended,
    act: signal('resume'),
  }),
  ofProcess({
    id: 'hangup',
    title: 'Hang up (SIGHUP)',
    words: 'reload reread config signal',
    isDangerous: true,
    menu: 'End',
    isFor: isLive,
    act: signal('hangup'),
  }),
  ofProcess({
    id: 'quit',
    title: 'Quit, with a core dump (SIGQUIT)',
    words: 'abort stack trace signal',
    isDangerous: true,
    menu: 'End',
    isFor: isLive,
    act: signal('quit'),
  }),
  ofProcess({
    id: 'terminate',
    title: 'Terminate (SIGTERM, then SIGKILL)',
    words: 'stop kill quit exit end',
    isDangerous: true,
    menu: 'End',
    keys: [onRow('x x')],
    again: again('terminate'),
    isFor: mayTake('terminate'),
    act: step('terminate'),
  }),
  ofProcess({
    id: 'endAndRestart',
    title: 'Restart (stops it first)',
    words: 'end start again rerun relaunch reload',
    isDangerous: true,
    menu: 'End',
    keys: [onRow('r r')],
    again: againRestart,
    isFor: mayBeEndedAndRestarted,
    act: (context, info) => {
      const { key } = info;
      endAndStartAgain(context, info, placeOf(context, [key]), (problem) => report(context, key, problem));
      return undefined;
    },
  }),
  ofProcess({
    id: 'kill',
    title: 'Kill now (SIGKILL)',
    words: 'stop force',
    isDangerous: true,
    menu: 'End',
    isFor: mayTake('kill'),
    act: step('kill'),
  }),
];

type Act = (context: CommandContext, info: ProcessInfo) => Promise<unknown> | undefined;

function signal(name: SignalName): Act {
  return ({ client }, { key }) => client.connection.request('process/signal', { key, signal: name });
}

/** True when the step is possible for the process or, on a selected row, for at least one selected process. */
function mayTake(name: Step): ProcessCommand['isFor'] {
  return ({ key }, { isOnRow }) => ableOf({ step: name, keys: meantBy(key, isOnRow) }).length > 0;
}

type Again = NonNullable<Command['again']>;

function again(name: 'interrupt' | 'terminate'): Again {
  return ({ subject, isOnRow }) => {
    const meant = subject === null ? [] : meantBy(subject, isOnRow);
    return { verb: name, keys: ableOf({ step: name, keys: meant }).map(({ key }) => key) };
  };
}

function againRestart({ subject }: CommandContext): ReturnType<Again> {
  return { verb: 'restart', keys: subject === null ? [] : [subject] };
}

/**
 * Returns where to confirm: `list` (below the list) for several processes; for one, the focused row or tile, `pane` if
 * its pane has the focus, otherwise `list`.
 */
function placeOf(context: CommandContext, keys: readonly string[]): Climb['place'] {
  if (keys.length > 1) return 'list';
  if (context.isOnRow) return rowPlace(context);
  const isInPane = !context.isInList && !pageStore.getState().isWall;
  return isInPane && layoutStore.getState().focused === keys[0] ? 'pane' : 'list';
}

function step(name: Step): Act {
  return (context, { key }) => {
    const keys = meantBy(key, context.isOnRow);
    const place = placeOf(context, keys);
    climb(context, { step: name, keys, place }, (problem) => report(context, key, problem));
    return undefined;
  };
}

interface ProcessCommand extends Pick<
  Command,
  'id' | 'title' | 'hint' | 'words' | 'isDangerous' | 'menu' | 'keys' | 'again'
> {
  readonly isFor: (info: ProcessInfo, context: CommandContext) => boolean;
  readonly act: Act;
}

function ofProcess({ isFor, act, ...command }: ProcessCommand): Command {
  return {
    ...command,
    group: 'Process',
    when: (context) => {
      const info = infoOf(context);
      return info !== undefined && mayAct(processStore.getState().connection) && isFor(info, context);
    },
    whyNot: (context) => {
      const info = infoOf(context);
      return info && processStore.getState().isReadOnly && isFor(info, context)
        ? 'Read-only: you need an operator’s link to act on processes.'
        : null;
    },
    run: (context) => {
      const info = infoOf(context);
      if (info)
        act(context, info)?.catch((error: unknown) => report(context, info.key, refusalSentence(error)));
    },
  };
}

/** Shows a problem in the pane of the process or, if it has no pane, in the page. */
function report({ terminals }: CommandContext, key: string, problem: string): void {
  const terminal = terminals.get(key);
  if (terminal) terminal.notify(problem);
  else showProblem(problem);
}
