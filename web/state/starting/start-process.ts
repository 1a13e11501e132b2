// Starts what a person asked for: through their shell or as it is, with the size that its pane will have.
import type { ProcessInfo } from '../../../protocol/console.ts';
import type { ExecClient } from '../../../client/exec-client.ts';
import { nextPaneSize } from '../layout/layout-store.ts';
import { argvOf, whatIsMissing, type Draft, type Model } from './draft.ts';
import { expandHome, pathOf } from './folder-completion.ts';
import { sandboxIntent } from './sandbox-choice.ts';
import { parseVariables } from './variables.ts';
import { sizeIn } from '../page/terminal-font.ts';

/**
 * Gives its key, once it is in the list; throws the gateway's reason when it cannot be started. With a model it keeps the
 * model's environment, where that is known, and its sandbox, unless the draft names another one.
 */
export async function startProcess(client: ExecClient, draft: Draft, model?: Model): Promise<string> {
  const { command, cwd: folder, tty, pipeStdin, label, variables: text, sandbox } = draft;
  const { state } = client.connection;
  if (state.kind !== 'online') throw new Error('There is no connection at the moment.');
  const cwd = expandHome(folder, pathOf(state.environment.userHomeDir)).replace(/(?<=.)\/+$/, '');
  if (!cwd.startsWith('/')) throw new Error(`The working directory ${cwd} is not an absolute path.`);
  if (command.trim() === '') throw new Error('There is no command yet.');
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
    ...(sandbox !== null && sandbox !== 'asModel' && { sandbox: sandboxIntent(sandbox, cwd) }),
    // A model that the gateway does not know any more has nothing to give: all of it is in the draft.
    ...(model &&
      client.processes.get(model.key) && {
        like: { key: model.key, ownEnv: !model.restartable, ownSandbox: sandbox !== 'asModel' },
      }),
  });
  await listed(client, key);
  return key;
}

/** The same again, with what only the gateway knows of it; gives the key of the new one, once it is in the list. */
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
