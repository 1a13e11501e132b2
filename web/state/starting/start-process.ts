// Starts a person's command, through a shell or exactly as entered, with the size of its future pane.
import { visible } from '../../../text/visible.ts';
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { nextPaneSize } from '../layout/layout-store.ts';
import { argvOf, whatIsMissing, type Draft, type Model } from './draft.ts';
import { expandHome, pathOf } from './folder-completion.ts';
import { sandboxIntent } from './sandbox-choice.ts';
import { parseVariables } from './variables.ts';
import { sizeIn } from '../page/terminal-font.ts';

/**
 * Starts the process of a draft; resolves to its key once it is in the list. Rejects with the reason when it cannot
 * be started. A duplicate gets the environment of `model`, if the gateway still has it, and the sandbox of `model`
 * unless the draft names one.
 */
export async function startProcess(client: ExecClient, draft: Draft, model?: Model): Promise<string> {
  const { command, cwd: folder, tty, pipeStdin, label, recorded, variables: text, sandbox } = draft;
  const { state } = client.connection;
  if (state.kind !== 'online')
    throw new Error('There is no connection to the gateway: nothing can be started until it is back.');
  const cwd = expandHome(folder, pathOf(state.environment.userHomeDir)).replace(/(?<=.)\/+$/, '');
  if (cwd === '') throw new Error('Enter a folder.');
  if (!cwd.startsWith('/')) throw new Error(`The folder ${visible(cwd)} is not an absolute path.`);
  if (command.trim() === '') throw new Error('Enter a command.');
  const { variables, problems } = parseVariables(text);
  if (problems.length > 0) throw new Error(problems.join(' '));
  const missing = whatIsMissing(draft, model);
  if (missing !== null) throw new Error(missing);
  const { key } = await client.processes.start({
    argv: argvOf(draft, state.environment.shell.path, model),
    cwd,
    tty,
    env: variables,
    ...(tty ? { size: sizeIn(nextPaneSize()) } : { pipeStdin }),
    ...(label.trim() !== '' && { label: label.trim() }),
    recorded,
    ...(sandbox !== null && sandbox !== 'asModel' && { sandbox: sandboxIntent(sandbox, cwd) }),
    // An original that is no longer in the list is omitted, since the draft is complete.
    ...(model &&
      client.processes.get(model.key) && {
        like: { key: model.key, ownEnv: !model.restartable, ownSandbox: sandbox !== 'asModel' },
      }),
  });
  await listed(client, key);
  return key;
}

/**
 * Restarts a process with its environment and, unless `withoutSandbox`, its sandbox, which only the gateway has;
 * resolves to the key of the new process once it is in the list.
 */
export async function restartProcess(
  client: ExecClient,
  { key: former, tty }: ProcessInfo,
  withoutSandbox = false,
): Promise<string> {
  const size = tty ? sizeIn(nextPaneSize()) : undefined;
  const { key } = await client.processes.restart(former, size, withoutSandbox);
  await listed(client, key);
  return key;
}

/**
 * Resolves when the process is in the list, whose update arrives shortly after the response. A lost connection ends
 * the wait, since the next one starts with the whole list.
 */
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
