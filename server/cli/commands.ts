// Every command that a person types, and the way from the words to one of them.
import { ConnectionLost, NotOnline, RequestError } from '../../client/exec-client.ts';
import { ErrorCode } from '../../protocol/jsonrpc.ts';
import { GATEWAY_FLAGS, parseCommandLine, parseWords, type Arguments } from './arguments.ts';
import { abort, approvals, approve, decline } from './approvals.ts';
import { attach } from './attach.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { link } from './link.ts';
import { logs } from './logs.ts';
import { say } from './notes.ts';
import { pause, unpause } from './pause.ts';
import { policy } from './policy.ts';
import { print } from './print.ts';
import { ps } from './ps.ts';
import { run } from './run.ts';
import { share } from './share.ts';
import { signal } from './signal.ts';
import { stop } from './stop.ts';
import type { Subcommand } from './subcommand.ts';
import { token } from './token.ts';
import { UsageError } from './usage-error.ts';

const COMMANDS: ReadonlyMap<string, Subcommand> = new Map(
  Object.entries({
    run,
    ps,
    attach,
    logs,
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
  }),
);

/** For `exec-console --help`. */
export const COMMAND_LIST = `
commands, each with a --help of its own:

${[...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`).join('\n')}
`;

const GATEWAY_HELP = `
The gateway is the running one of this user. Another one:
  --url URL            its address; or EXEC_CONSOLE_URL
  --token-file PATH    a file with a token for it; or EXEC_CONSOLE_TOKEN, the token itself
  --state-dir PATH     the state folder of one that runs here`;

/** Resolves with the exit code; what there is to say has been said. */
export async function runCommand(
  name: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const command = COMMANDS.get(name);
  if (!command) {
    say(
      `there is no command "${name}"; there are ${[...COMMANDS.keys()].join(', ')}`,
      'Try exec-console --help.',
    );
    return ExitCode.usage;
  }
  try {
    const args = argumentsOf(command, argv);
    if (args) return await command.execute(args, env);
    await print(`exec-console ${command.usage}\n\n${command.help}\n${GATEWAY_HELP}`);
    return ExitCode.ok;
  } catch (error) {
    const { code, lines } = failureOf(error, name);
    say(...lines);
    return code;
  }
}

/** Null: help was asked for. */
function argumentsOf({ words, flags, usage }: Subcommand, argv: readonly string[]): Arguments | null {
  const parse = words === 'commandLine' ? parseCommandLine : parseWords;
  const args = parse(argv, { ...GATEWAY_FLAGS, ...flags });
  if (args.has('help')) return null;
  const given = args.words.length;
  if (words === 'any') return args;
  if (words === 'commandLine' ? given === 0 : given !== words) {
    throw new UsageError(`expected: exec-console ${usage}`);
  }
  return args;
}

/** Throws what is nobody's fault but ours. */
function failureOf(
  error: unknown,
  name: string,
): { readonly code: number; readonly lines: readonly string[] } {
  if (error instanceof UsageError)
    return { code: ExitCode.usage, lines: [error.message, `Try exec-console ${name} --help.`] };
  if (error instanceof CommandFailed) return { code: error.exitCode, lines: error.message.split('\n') };
  if (error instanceof ConnectionLost || error instanceof NotOnline) {
    return { code: ExitCode.connectionLost, lines: [error.message] };
  }
  if (!(error instanceof RequestError)) throw error;
  const codes: { readonly [code: number]: number } = {
    [ErrorCode.forbidden]: ExitCode.refused,
    [ErrorCode.unknownKey]: ExitCode.notFound,
  };
  return { code: codes[error.code] ?? ExitCode.failed, lines: [error.message] };
}
