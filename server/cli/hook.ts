// exec-console hook: requests approval before an agent uses a tool, and rewrites its commands to run in the gateway.
import { randomUUID } from 'node:crypto';
import { headOf } from '../../text/cut.ts';
import { SessionClient } from '../../client/session-client.ts';
import { fileUri } from '../../client/start-params.ts';
import type { AskResult } from '../../protocol/approvals.ts';
import { errorText, plainReason } from '../../text/error-text.ts';
import { toolInputText } from '../../text/tool-input.ts';
import { agentAddress } from './agent-address.ts';
import { agentVersion, aroundMetadata } from './agent-around.ts';
import type { Arguments } from './arguments.ts';
import { socketTo } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { hookAnswer, hookRefusal } from './hook-answers.ts';
import { hookEvent, type HookEvent } from './hook-events.ts';
import { readHookInput } from './hook-input.ts';
import { isInsideGateway } from './inside-gateway.ts';
import { printNote } from './notes.ts';
import { ownProgram } from './own-program.ts';
import { printJson } from './print.ts';
import { realShell } from './real-shell.ts';
import { readBack, rewrite, setVariables, type Rewritten } from './rewritten-command.ts';
import { passedVariables, withoutShells } from './shell-environment.ts';
import { stateDirOf } from './state-folder.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

export const hook: Subcommand = {
  usage: 'hook [flags]',
  summary: 'Ask for approval in the console before an agent uses a tool',
  help: `An agent runs this command before it uses a tool, and writes the event to stdin. Supported agents are Claude
Code, Codex, VS Code, Gemini CLI and Cursor; "exec-console connect" configures them. A shell command is rewritten
to run in the gateway, where the policy decides whether it waits for approval. Any other tool call is allowed or
refused only by a person or a rule; without a decision, the agent asks its own user. When the agent is about to ask its
user, a person in the console can answer instead, under every policy. Without a gateway, the agent asks its user as
usual; with --when-away refuse, the tool call is refused, and so is a rewritten command that the gateway does not run.`,
  flags: {
    agent: {
      type: 'string',
      value: 'NAME',
      about: 'Name of the agent in the console (default: from the event)',
    },
    'when-away': {
      type: 'string',
      value: 'ACTION',
      about: 'What to do without a gateway: ask (the agent asks its user, the default) or refuse',
      completes: ['ask', 'refuse'],
    },
    'no-rewrite': {
      type: 'boolean',
      about: 'Only ask for approval, and let the agent run its commands itself',
    },
  },
  examples: ['hook --agent claude'],
  hasOwnCodes: true,
  exitCodes: [
    ['0', 'The event was handled, even if nobody could be asked'],
    ['2', 'The command line is invalid, or the event cannot be read and --when-away is refuse'],
  ],
  words: 0,
  async execute(args, env) {
    const whenAway = args.text('when-away') ?? 'ask';
    if (whenAway !== 'ask' && whenAway !== 'refuse')
      throw new UsageError(`--when-away ${whenAway}: expected ask or refuse`);
    let event: HookEvent | null = null;
    try {
      event = hookEvent(await readHookInput(process.stdin));
      const answer = event && (await answerTo(event, args, env));
      if (answer) await printJson(answer);
      return ExitCode.ok;
    } catch (error) {
      // The agent shows its own prompt when the hook prints nothing.
      if (whenAway === 'ask') return ExitCode.ok;
      const refusal =
        event &&
        hookRefusal(event, `exec-console cannot request approval: ${plainReason((error as Error).message)}`);
      if (refusal) await printJson(refusal);
      else printNote(`cannot request approval for this tool call: ${errorText(error)}`);
      return refusal ? ExitCode.ok : ExitCode.usage;
    }
  },
};

async function answerTo(event: HookEvent, args: Arguments, env: NodeJS.ProcessEnv): Promise<object | null> {
  const stateDir = stateDirOf(args.text('state-dir'), env);
  if (isInsideGateway(env, stateDir)) return null;
  const own = { program: ownProgram(), flags: passedFlags(args) };
  const former = event.command === null ? null : readBack(event.command, own);
  if (former && event.moment === 'before') {
    // An earlier call of the hook has rewritten this command, so approval is not requested again.
    if (args.text('when-away') === 'refuse')
      await connected(args, env, former.agent).then((each) => each.close());
    return null;
  }
  const agent = former?.agent ?? args.text('agent') ?? event.dialect;
  const run: Rewritten | null =
    former ??
    (event.command === null
      ? null
      : {
          agent,
          thread: event.thread,
          parentThread: event.parentThread,
          model: event.model,
          // Gemini CLI sends no call id, so a generated one links the approval to the command that follows.
          callId: event.callId ?? `call-${randomUUID()}`,
          shell: realShell(null, env, stateDir),
          path: env['PATH'] === undefined ? null : withoutShells(env['PATH'], stateDir),
          command: event.command,
        });
  const client = await connected(args, env, agent);
  try {
    const cwd = event.cwd ?? process.cwd();
    const result = await client.connection.request('approvals/ask', {
      tool: headOf(event.tool || 'a tool', 200),
      ...(run && {
        argv: [run.shell, '-c', run.command],
        env: passedVariables({ ...env, PWD: cwd }, { stateDir, named: setVariables(run) }),
      }),
      input: toolInputText(event.input, run !== null),
      cwd: fileUri(cwd),
      metadata: metadataOf(event, run, agentVersion(env)),
      everyTime: event.moment === 'permission',
    });
    const mayRewrite = run !== null && !args.has('no-rewrite') && event.dialect !== 'cursor';
    return hookAnswer(event, result satisfies AskResult, mayRewrite ? rewrite(run, own) : null);
  } finally {
    client.close();
  }
}

/** Resolves with a connected client. Rejects when no gateway answers, or when the gateway refuses the token. */
async function connected(args: Arguments, env: NodeJS.ProcessEnv, agent: string): Promise<SessionClient> {
  const address = await agentAddress(args, env, agent);
  const client = new SessionClient({ socket: () => socketTo(address), clientName: agent });
  try {
    await client.open();
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * Returns the flags of this hook that its rewritten commands get too: those that specify a gateway, and `--when-away
 * refuse`.
 */
const passedFlags = (args: Arguments): readonly string[] => [
  ...['state-dir', 'url', 'token-file'].flatMap((name) => {
    const value = args.text(name);
    return value === null ? [] : [`--${name}`, value];
  }),
  ...(args.text('when-away') === 'refuse' ? ['--when-away', 'refuse'] : []),
];

function metadataOf(
  { thread, parentThread, callId, model, input }: HookEvent,
  run: Rewritten | null,
  version: string | null,
): Record<string, string> {
  const { description } = input;
  return {
    ...aroundMetadata({ thread, parentThread, callId: run?.callId ?? callId, model, version }),
    ...(typeof description === 'string' && { justification: description }),
  };
}
