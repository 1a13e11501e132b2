// Starts what a person asked for: through their shell or as it is, with the size that its pane will have.
import type { ProcessInfo } from '../../server/protocol/console.ts';
import type { ExecClient } from '../client/exec-client.ts';
import { nextPaneSize } from '../layout/layout-store.ts';
import { scriptOf, shellQuote } from './command-line.ts';
import { sizeIn } from '../terminal/terminal-font.ts';

export interface Draft {
  /** A line for the shell, or one argument a line. */
  readonly command: string;
  readonly cwd: string;
  readonly isExact: boolean;
  readonly tty: boolean;
  /** Without a tty: whether it has a stdin. */
  readonly pipeStdin: boolean;
}

/** The same command in the same place; what its variables and its policy were, nobody here knows. */
export function draftLike({ argv, cwd, tty, pipeStdin }: ProcessInfo): Draft {
  return {
    command: scriptOf(argv) ?? argv.map(shellQuote).join(' '),
    cwd,
    isExact: false,
    tty,
    pipeStdin: tty || pipeStdin,
  };
}

/** What programs take the page's terminals for. */
const TERMINAL_ENV = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };

/** Gives its key, once it is in the list; throws the gateway's reason when it cannot be started. */
export async function startProcess(
  client: ExecClient,
  { command, cwd, isExact, tty, pipeStdin }: Draft,
): Promise<string> {
  if (!cwd.startsWith('/')) throw new Error(`The working directory ${cwd} is not an absolute path.`);
  if (command.trim() === '') throw new Error('There is no command yet.');
  const { state } = client.connection;
  if (state.kind !== 'online') throw new Error('There is no connection at the moment.');
  const argv = isExact
    ? command.split('\n').filter((word) => word !== '')
    : [state.environment.shell.path, '-lc', command];
  const { key } = await client.processes.start({
    argv,
    cwd,
    tty,
    ...(tty ? { size: sizeIn(nextPaneSize()), env: TERMINAL_ENV } : { pipeStdin }),
  });
  await listed(client, key);
  return key;
}

/** The same again, with what only the gateway knows of it; gives the key of the new one, once it is in the list. */
export async function restartProcess(client: ExecClient, { key: former, tty }: ProcessInfo): Promise<string> {
  const { key } = await client.processes.restart(former, tty ? sizeIn(nextPaneSize()) : undefined);
  await listed(client, key);
  return key;
}

/** Whether it is over, and the gateway still knows how it was started. */
export const mayRestart = (info: ProcessInfo): boolean => info.restartable && info.state === 'closed';

/** The list is told apart from the answer, and a moment later; a cut ends the wait, since then it comes with the rest. */
function listed({ connection, processes }: ExecClient, key: string): Promise<void> {
  if (processes.get(key)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      offChanged();
      offState();
      resolve();
    };
    const offChanged = processes.onChanged(() => {
      if (processes.get(key)) done();
    });
    const offState = connection.onState(done);
  });
}
