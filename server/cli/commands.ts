// Lists all commands, and runs the command that the first argument names.
import { ConnectionLost, NotOnline, RequestError } from '../../client/exec-client.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { errorText } from '../../text/error-text.ts';
import {
  GATEWAY_FLAGS,
  HELP_FLAG,
  parseCommandLine,
  parseLeading,
  parseWords,
  type Arguments,
  type FlagSpecs,
} from './arguments.ts';
import { abort, approvals, approve, decline } from './approvals.ts';
import { attach } from './attach.ts';
import type { Completed } from './completed.ts';
import { completionCommand } from './completion.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { entryLines, flagLines, helpOf, section } from './help.ts';
import { connectAgent } from './connect-agent.ts';
import { history } from './history.ts';
import { hook } from './hook.ts';
import { keep } from './keep.ts';
import { keeper } from './keeper.ts';
import { link } from './link.ts';
import { logs } from './logs.ts';
import { printNote } from './notes.ts';
import { FLAG_GROUPS } from './options.ts';
import { mcp } from './mcp.ts';
import { suggestion } from './near-miss.ts';
import { pause, unpause } from './pause.ts';
import { policy } from './policy.ts';
import { print } from './print.ts';
import { ps } from './ps.ts';
import { replay } from './replay.ts';
import { restart } from './restart.ts';
import { run } from './run.ts';
import { search } from './search.ts';
import { share } from './share.ts';
import { shell } from './shell.ts';
import { signal } from './signal.ts';
import { stop } from './stop.ts';
import type { Subcommand } from './subcommand.ts';
import { token } from './token.ts';
import { StateFolderRefused } from '../host/state-folder-refused.ts';
import { UsageError } from './usage-error.ts';
import { checkCount, refuseSurplus } from './word-count.ts';

const help: Subcommand = {
  usage: 'help [COMMAND]',
  summary: 'Print the help of a command, as COMMAND --help does',
  help: 'Without a command, prints the flags of the gateway and the list of commands.',
  flags: {},
  examples: ['help', 'help run'],
  isLocal: true,
  words: 'any',
  // A getter, since the table of commands includes this one.
  get completes() {
    return [...COMMANDS.keys()];
  },
  async execute({ words: [name, ...rest] }) {
    refuseSurplus(rest, help.usage);
    const command = name === undefined ? null : COMMANDS.get(name);
    if (command === undefined) return refuseUnknown(name ?? '');
    await print(command ? helpOf(command, sharedFlags(command)) : gatewayHelp().trimEnd());
    return ExitCode.ok;
  },
};

export const COMMANDS: ReadonlyMap<string, Subcommand> = new Map(
  Object.entries({
    run,
    ps,
    attach,
    logs,
    history,
    search,
    replay,
    signal,
    stop,
    link,
    share,
    token,
    approvals,
    approve,
    decline,
    abort,
    pause,
    unpause,
    policy,
    mcp,
    connect: connectAgent,
    hook,
    shell,
    restart,
    keep,
    keeper,
    completion: completionCommand(() => COMPLETED),
    help,
  }),
);

export const COMPLETED: Completed = {
  commands: COMMANDS,
  gatewayFlags: Object.assign({}, ...Object.values(FLAG_GROUPS)) as FlagSpecs,
  flagsOf: (command) => ({ ...command.flags, ...sharedFlags(command) }),
};

/** Returns the text of `exec-console --help`. */
export const gatewayHelp = (): string =>
  [
    'Usage: exec-console [flags]            Start the gateway\n' +
      '       exec-console COMMAND [flags]    Use the running gateway',
    'See and control every process that your coding agents run.',
    ...section(
      'Commands',
      entryLines(
        [...COMMANDS].map(([name, { summary }]) => [name, summary]),
        14,
      ),
    ),
    'Run "exec-console COMMAND --help" for the flags of a command.',
    ...Object.entries(FLAG_GROUPS).flatMap(([title, flags]) => section(title, flagLines(flags))),
    ...section('Examples', [
      '  exec-console --banner',
      '  exec-console --port 8000 --sandbox workspace-write --workspace ~/src/shop',
      '  exec-console --host 0.0.0.0 --tls-cert fullchain.pem --tls-key privkey.pem',
      '  exec-console run -- npm test',
    ]),
    ...section(
      'Output',
      entryLines(
        [
          ['stdout', 'The address for agents, then a sign-in link for an operator, each on its own line'],
          ['stderr', 'The log'],
        ],
        14,
      ),
    ),
    ...section(
      'Exit codes',
      entryLines(
        [
          ['0', 'Stopped by a signal, or by the end of stdin with --listen stdio://'],
          ['1', 'The gateway could not start, or it failed'],
          ['2', 'The command line is invalid'],
        ],
        9,
      ),
    ),
  ].join('\n\n') + '\n';

/** Resolves with the exit code; all messages have been printed by then. */
export async function runCommand(
  name: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const command = COMMANDS.get(name);
  if (!command) return refuseUnknown(name);
  try {
    const args = argumentsOf(command, argv, name);
    if (args) return await command.execute(args, env, argv);
    await print(helpOf(command, sharedFlags(command)));
    return ExitCode.ok;
  } catch (error) {
    const { code, lines } = await failureOf(error, name);
    printNote(...lines);
    return code;
  }
}

/** Prints an error, with a similar command if there is one, and returns the exit code. */
function refuseUnknown(name: string): number {
  printNote(
    `unknown command "${name}"${suggestion(name, [...COMMANDS.keys()])}`,
    'Run "exec-console --help" for the list of commands.',
  );
  return ExitCode.usage;
}

/** Returns the gateway flags with `--help`; only `--help` for a command that does not connect to a gateway. */
export const sharedFlags = ({ isLocal }: Subcommand): FlagSpecs => (isLocal ? HELP_FLAG : GATEWAY_FLAGS);

/** Returns the parsed arguments; null when help was requested. */
function argumentsOf(command: Subcommand, argv: readonly string[], name: string): Arguments | null {
  const { words, flags, usage } = command;
  const parse =
    words === 'commandLine' ? parseCommandLine : words === 'afterFlags' ? parseLeading : parseWords;
  const args = parse(argv, { ...sharedFlags(command), ...flags }, name);
  if (args.has('help')) return null;
  if (words === 'commandLine') checkCount(args.words, { count: 1, isOpen: true, usage });
  if (typeof words === 'number') checkCount(args.words, { count: words, usage });
  return args;
}

/** Returns the exit code and the message for an error; rethrows errors that are defects of this program. */
async function failureOf(
  error: unknown,
  name: string,
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  if (error instanceof UsageError)
    return {
      code: ExitCode.usage,
      lines: [error.message, `Run "exec-console ${name} --help" for its flags and examples.`],
    };
  if (error instanceof StateFolderRefused) return { code: ExitCode.failed, lines: [error.message] };
  if (error instanceof CommandFailed) return { code: error.exitCode, lines: error.message.split('\n') };
  if (error instanceof ConnectionLost || error instanceof NotOnline) {
    return { code: ExitCode.connectionLost, lines: [error.message] };
  }
  if (!(error instanceof RequestError)) throw error;
  if (error.code === ErrorCode.forbidden) {
    // The table of roles loads all methods, so it is imported only here: it would slow down every command.
    const { roleRefused } = await import('./role-refused.ts');
    return { code: ExitCode.refused, lines: (roleRefused(error.message) ?? errorText(error)).split('\n') };
  }
  const code = error.code === ErrorCode.unknownKey ? ExitCode.notFound : ExitCode.failed;
  return { code, lines: [errorText(error)] };
}
