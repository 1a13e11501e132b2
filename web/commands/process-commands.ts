// Commands about a process: the one whose row or pane has the focus.
import type { ProcessInfo, SignalName } from '../../server/protocol/console.ts';
import { isDraining, isLive } from '../processes/process-status.ts';
import { processStore } from '../processes/process-store.ts';
import { startSearch } from '../terminal/searching.ts';
import { tellProblem } from '../ui/page-store.ts';
import { inTerminal, onPage, onRow, type Binding, type Command, type CommandContext } from './command.ts';

export const PROCESS_COMMANDS: readonly Command[] = [
  {
    id: 'search',
    title: 'Search in this pane',
    group: 'Panes',
    keys: [inTerminal('Mod+Shift+F'), onPage('Mod+F')],
    isInMenu: true,
    when: ({ subject, terminals }) => subject !== null && terminals.get(subject) !== undefined,
    run: ({ subject }) => {
      if (subject !== null) startSearch(subject);
    },
  },
  ofProcess('interrupt', 'Interrupt (SIGINT)', [onRow('i i')], isLive, signal('interrupt')),
  ofProcess(
    'terminate',
    'Terminate (SIGTERM, then SIGKILL)',
    [onRow('x x')],
    (info) => isLive(info) || isDraining(info),
    ({ client }, { key }) => client.connection.request('process/terminate', { key }),
  ),
  ofProcess(
    'kill',
    'Kill at once (SIGKILL)',
    [],
    // It is for what does not go otherwise.
    (info) => isDraining(info) || (isLive(info) && info.terminatingSinceMs !== null),
    ({ client }, { key }) => client.connection.request('process/terminate', { key, graceMs: 0 }),
  ),
  ofProcess('suspend', 'Suspend (SIGTSTP)', [], isLive, signal('suspend')),
  ofProcess('resume', 'Resume (SIGCONT)', [], isLive, signal('resume')),
  ofProcess(
    'takeControl',
    'Take control: this pane sets the terminal’s size',
    [],
    (info, { terminals }) =>
      info.tty && isLive(info) && terminals.get(info.key)?.process.controlled === false,
    ({ terminals }, { key }) => terminals.get(key)?.process.control(true),
  ),
  ofProcess(
    'giveUpControl',
    'Give up control of the terminal’s size',
    [],
    (info, { terminals }) => isLive(info) && terminals.get(info.key)?.process.controlled === true,
    ({ terminals }, { key }) => terminals.get(key)?.process.control(false),
  ),
];

type Act = (context: CommandContext, info: ProcessInfo) => Promise<unknown> | undefined;

function signal(name: SignalName): Act {
  return ({ client }, { key }) => client.connection.request('process/signal', { key, signal: name });
}

function ofProcess(
  id: string,
  title: string,
  keys: readonly Binding[],
  when: (info: ProcessInfo, context: CommandContext) => boolean,
  act: Act,
): Command {
  return {
    id,
    title,
    group: 'Process',
    keys,
    isInMenu: true,
    when: (context) => {
      const info = infoOf(context);
      return info !== undefined && mayAct() && when(info, context);
    },
    run: (context) => {
      const info = infoOf(context);
      if (info) act(context, info)?.catch((error: unknown) => tell(context, info.key, error));
    },
  };
}

const infoOf = ({ subject }: CommandContext): ProcessInfo | undefined =>
  subject === null ? undefined : processStore.getState().processes[subject];

function mayAct(): boolean {
  const { connection } = processStore.getState();
  return connection.kind === 'online' && (connection.role === 'operator' || connection.role === 'admin');
}

/** In its pane when it has one. */
function tell({ terminals }: CommandContext, key: string, error: unknown): void {
  const problem = error instanceof Error ? error.message : String(error);
  const terminal = terminals.get(key);
  if (terminal) terminal.notify(problem);
  else tellProblem(problem);
}
