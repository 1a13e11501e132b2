// exec-console shell: a shell for agents, whose scripts run in the gateway; other uses run the real shell.
import { storedPolicy } from '../policy/approval-store.ts';
import { whyNoName } from '../policy/token-name.ts';
import { connectAgain } from './agent-token.ts';
import { agentAround } from './agent-around.ts';
import { agentAddress } from './agent-address.ts';
import { ADDRESS_FLAGS, type Arguments } from './arguments.ts';
import { claudeScript } from './claude-script.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import type { GatewayAddress } from './gateway-address.ts';
import { isInsideGateway } from './inside-gateway.ts';
import { print } from './print.ts';
import { becomeShell, realShell, printNow } from './real-shell.ts';
import { passedVariables, workingFolder } from './shell-environment.ts';
import { printRest } from './shell-rest.ts';
import { GatewayAway, runInGateway, type ShellEnding } from './shell-run.ts';
import { scriptOf } from './shell-words.ts';
import { writeStandIns } from './stand-ins.ts';
import { stateDirOf } from './state-folder.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

export const shell: Subcommand = {
  usage: 'shell [flags] [--] [SHELL ARGUMENT…]',
  summary: 'Run the shell commands of an agent in the gateway',
  help: `With -c, the script runs on the gateway as a process of the agent; pipes, exit code, signals, working
directory and background jobs work as in the real shell. Interactive shells, shells that read a file, and shells
inside a process of the gateway run as the real shell. The script gets the environment of the gateway with the
agent's PATH, language, terminal and pager; other variables of the agent, which may hold secrets, are passed on
only with --env. Unlike the real shell, this one reads input for the script ahead. Without a gateway the real shell runs the script, and a
line on stderr reports that it runs outside the console. With --when-away refuse, or when the last policy for this
agent was "always", the script is refused instead.`,
  flags: {
    path: {
      type: 'boolean',
      about: 'Print the path of a program to use as $SHELL',
    },
    folder: {
      type: 'boolean',
      about: 'Print the path of a folder with a program named bash, to put first in PATH',
    },
    'prefix-path': { type: 'boolean', about: 'Print the path of a program for CLAUDE_CODE_SHELL_PREFIX' },
    agent: {
      type: 'string',
      value: 'NAME',
      about: 'Name of the agent in the console (default: from its environment)',
    },
    thread: { type: 'string', value: 'ID', about: 'Thread of the agent, as the agent itself names it' },
    'parent-thread': { type: 'string', value: 'ID', about: 'Thread that started this one' },
    call: { type: 'string', value: 'ID', about: 'Tool call of the agent' },
    model: { type: 'string', value: 'NAME', about: 'Model of the agent' },
    env: {
      type: 'string',
      value: 'NAME[=VALUE]',
      multiple: true,
      about: "Variable to pass on, with the agent's value or the one given here; may be repeated",
    },
    real: {
      type: 'string',
      value: 'PATH',
      about: "The real shell (default: the user's own)",
      completes: 'file',
    },
    'when-away': {
      type: 'string',
      value: 'ACTION',
      about: 'What to do without a gateway: run (the default) or refuse',
      completes: ['run', 'refuse'],
    },
    prefix: { type: 'boolean', about: 'Run the single argument as a Claude Code script' },
    rest: {
      type: 'boolean',
      about: 'Relay the output of background jobs; used by exec-console itself',
    },
  },
  examples: [
    'SHELL=$(exec-console shell --path --agent opencode) opencode',
    'PATH=$(exec-console shell --folder --agent gemini):$PATH gemini',
    'CLAUDE_CODE_SHELL_PREFIX=$(exec-console shell --prefix-path) claude',
    "shell -c 'npm test'",
  ],
  hasOwnCodes: true,
  exitCodes: [
    ['0', 'The script exited with 0'],
    ['…', 'The exit code of the script; if a signal killed the script, the same signal ends this command'],
    ['1', "Failed, or the script's own code"],
    ['2', "The command line is invalid, or the script's own code"],
    ['4', 'Refused: the token is invalid or was revoked'],
    ['6', 'The connection was lost and could not be restored; the command may still be running'],
    ['126', 'The command was declined or refused, or could not be started'],
    ['127', 'The shell was not found'],
    ['141', 'The reader of stdout has closed it (broken pipe)'],
  ],
  words: 'afterFlags',
  async execute(args, env) {
    if (args.has('rest')) return printRest();
    const whenAway = args.text('when-away') ?? 'run';
    if (whenAway !== 'run' && whenAway !== 'refuse')
      throw new UsageError(`--when-away ${whenAway}: expected run or refuse`);
    const stateDir = stateDirOf(args.text('state-dir'), env);
    if (PRINTED.some((name) => args.has(name))) return printStandIns(args, stateDir, env);
    const { path, words } = realCommand(args, stateDir, env);
    const real = { path, words, env, stateDir };
    if (scriptOf(words) === null) becomeShell({ ...real, isInside: false });
    if (isInsideGateway(env, stateDir)) becomeShell({ ...real, isInside: true });
    const agent = agentAround(env, {
      agent: args.text('agent'),
      thread: args.text('thread'),
      parentThread: args.text('parent-thread'),
      model: args.text('model'),
    });
    try {
      const address = await reached(args, env, agent.name);
      const ending = await runInGateway(address, {
        argv: [path, ...words],
        cwd: workingFolder(env),
        env: passedVariables(env, { stateDir, named: args.texts('env') }),
        agent,
        callId: args.text('call'),
        label: args.has('prefix') ? claudeScript(args.words[0] ?? '').command : null,
      });
      return codeOf(ending);
    } catch (error) {
      if (!(error instanceof GatewayAway)) throw error;
      const why = whyRefused(whenAway, stateDir, agent.name);
      if (why !== null)
        throw new CommandFailed(ExitCode.cannotExecute, `${error.message}; ${why}, so nothing was run`);
      printNow(`${error.message}, so this command runs outside the console`);
      return becomeShell({ ...real, isInside: true });
    }
  },
};

/** Flags that print the path of a stand-in or its folder, and flags whose values are written into the stand-ins. */
const PRINTED = ['path', 'folder', 'prefix-path'];
const STORED = ['agent', 'thread', 'when-away', ...ADDRESS_FLAGS];

async function printStandIns(args: Arguments, stateDir: string, env: NodeJS.ProcessEnv): Promise<number> {
  args.allowOnly('shell --path, --folder or --prefix-path', [...PRINTED, ...STORED, 'env']);
  const agent = args.text('agent');
  const why = agent === null ? null : whyNoName(agent);
  if (why !== null) throw new UsageError(why);
  const flags = [
    ...STORED.flatMap((name) => {
      const value = args.text(name);
      return value === null ? [] : [`--${name}`, value];
    }),
    ...args.texts('env').flatMap((name) => ['--env', name]),
  ];
  if (agent !== null) await connectAgain(stateDir, agent);
  const { folder, shell: path, prefix } = writeStandIns(stateDir, { agent, flags, env });
  const printed = [
    ...(args.has('path') ? [path] : []),
    ...(args.has('folder') ? [folder] : []),
    ...(args.has('prefix-path') ? [prefix] : []),
  ];
  await print(printed.map((each) => `${each}\n`).join(''));
  return ExitCode.ok;
}

/** Returns the shell that would run without the gateway, and its arguments. */
function realCommand(
  args: Arguments,
  stateDir: string,
  env: NodeJS.ProcessEnv,
): { readonly path: string; readonly words: readonly string[] } {
  const given = args.text('real');
  if (!args.has('prefix')) return { path: given ?? realShell(null, env, stateDir), words: args.words };
  const [script = '', ...more] = args.words;
  if (more.length > 0 || args.words.length === 0)
    throw new UsageError('--prefix: expected one argument, the script');
  const { shell: name } = claudeScript(script);
  return { path: given ?? realShell(name, env, stateDir), words: ['-c', script] };
}

/** Throws GatewayAway when no gateway is running: after any other error, the real shell must not run the script. */
async function reached(args: Arguments, env: NodeJS.ProcessEnv, agent: string): Promise<GatewayAddress> {
  try {
    return await agentAddress(args, env, agent);
  } catch (error) {
    if (!(error instanceof CommandFailed) || error.exitCode !== ExitCode.noGateway) throw error;
    throw new GatewayAway('no gateway is running', { cause: error });
  }
}

/** Returns the reason why the real shell must not run the command; null when it may. */
function whyRefused(whenAway: string, stateDir: string, agent: string): string | null {
  if (whenAway === 'refuse') return 'commands of this agent run only in the console (--when-away refuse)';
  return storedPolicy(stateDir, agent) === 'always'
    ? 'the policy for this agent requires approval for every command'
    : null;
}

/** Resolves with the exit code; if a signal ended the script, kills this process with the same signal. */
async function codeOf(ending: ShellEnding): Promise<number> {
  if (ending.kind === 'exited') return ending.exitCode;
  process.kill(process.pid, ending.signal);
  return new Promise<never>(() => undefined);
}
