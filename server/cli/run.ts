// exec-console run: runs a command as a process of the gateway, as if it ran here.
import { visible } from '../../text/visible.ts';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { isAbsolute, resolve } from 'node:path';
import { RequestError, type ExecClient, type RemoteProcess } from '../../client/exec-client.ts';
import type { Arguments } from './arguments.ts';
import { withGateway, type Gateway } from './connect.ts';
import { DEFAULT_DETACH_KEYS, DetachKeys } from './detach-keys.ts';
import { PASSED_ON, signalledStart } from './ending-signals.ts';
import { CommandFailed, ExitCode, SIGNAL_CODES, type EndingSignal } from './exit-codes.ts';
import { gatewayAddress } from './gateway-address.ts';
import { errorText } from '../../text/error-text.ts';
import { NOT_EXECUTABLE, NOT_FOUND, startRefusalReason } from '../../text/start-refusal.ts';
import { commandLine } from '../../text/command-line.ts';
import { printNote } from './notes.ts';
import { PassThrough, type Ending } from './pass-through.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

export const run: Subcommand = {
  usage: 'run [flags] [--] COMMAND [ARGUMENT…]',
  summary: 'Run a command on the gateway, in this terminal',
  help: `COMMAND runs on the gateway's machine as a process of the console, where everyone can see it. Flags end at the
first word without a dash; everything from there on belongs to the command.

With a terminal, every key goes to the program, including Ctrl-C; the detach keys leave the program running, and
"exec-console attach" reopens it. When this terminal is closed, the program receives SIGHUP. Without a terminal, stdin,
stdout and stderr are passed through unchanged, and SIGINT, SIGTERM, SIGHUP and SIGQUIT are forwarded. After a lost
connection, its input and output continue here where they were.`,
  flags: {
    tty: {
      type: 'boolean',
      short: 't',
      about: 'Give the command a terminal (default: when stdin and stdout are terminals)',
    },
    'no-tty': { type: 'boolean', short: 'T', about: 'Run the command without a terminal' },
    label: {
      type: 'string',
      short: 'l',
      value: 'LABEL',
      about: 'Name of the process, which other commands accept as its key',
    },
    cwd: {
      type: 'string',
      short: 'C',
      value: 'DIR',
      about: "Working directory (default: this one; on another machine, the gateway's)",
      completes: 'folder',
    },
    env: {
      type: 'string',
      short: 'e',
      multiple: true,
      value: 'NAME=VALUE',
      about: "Variable to set for the command, on top of the gateway's environment; may be repeated",
    },
    'no-record': {
      type: 'boolean',
      about: 'Do not record the output of the command for the history',
    },
    'detach-keys': {
      type: 'string',
      value: 'KEYS',
      about: `Keys that detach from the command, such as ctrl-p,ctrl-q, or none (default: ${DEFAULT_DETACH_KEYS})`,
    },
  },
  examples: [
    'run -- npm test',
    'run --label web -- npm run dev',
    'run -C /srv/copy -e NODE_ENV=test -- make check',
    'tar c . | exec-console run -C /srv/copy -- tar x',
  ],
  exitCodes: [
    ['0', 'The command exited with 0, or you detached'],
    ['…', "Any other code is the command's own; 128 + N if signal N killed it"],
    ['126', 'The command could not be started'],
    ['127', 'The command was not found'],
    ['141', 'The reader of stdout has closed it (broken pipe)'],
  ],
  words: 'commandLine',
  async execute(args, env) {
    const detachKeys = new DetachKeys(args.text('detach-keys') ?? DEFAULT_DETACH_KEYS);
    const variables = variablesOf(args);
    const tty = wantsTty(args);
    const label = args.text('label');
    return withGateway(gatewayAddress(args, env), (gateway) => {
      const place = {
        cwd: folderOf(args, gateway),
        env: { ...(tty && terminalVariables(env)), ...variables },
        tty,
      };
      return signalledStart({
        start: () => start(gateway.client, args, place),
        goOn: async (remote, early) => {
          const passThrough = new PassThrough({
            gateway,
            remote,
            tty,
            input: 'all',
            passesEnd: true,
            detachKeys,
            hasScreen: false,
            early,
            onSignal: (signal) => passOn(remote, signal, tty),
          });
          return codeOf(await passThrough.run(), remote);
        },
        shown: `${label === null ? '' : `[${visible(label)}] `}${commandLine(args.words)}`,
      });
    });
  },
};

function wantsTty(args: Arguments): boolean {
  args.refuseBoth('tty', 'no-tty');
  return args.has('tty') || (!args.has('no-tty') && isatty(0) && isatty(1));
}

function variablesOf(args: Arguments): Record<string, string> {
  return Object.fromEntries(
    args.texts('env').map((text) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined) throw new UsageError(`--env ${text}: expected NAME=VALUE`);
      return [name, value ?? ''];
    }),
  );
}

/** Returns the variables that describe this terminal; none when stdout is not a terminal or TERM is unset. */
function terminalVariables({ TERM, COLORTERM }: NodeJS.ProcessEnv): Record<string, string> {
  return process.stdout.isTTY && TERM ? { TERM, COLORTERM: COLORTERM ?? '' } : {};
}

function folderOf(args: Arguments, { address, online }: Gateway): string {
  const cwd = args.text('cwd');
  const isHere = address.pid !== null;
  if (isHere) return resolve(cwd ?? '.');
  if (cwd === null) return fileURLToPath(online.environment.cwd);
  if (!isAbsolute(cwd))
    throw new UsageError(`--cwd ${cwd}: expected an absolute path, since the gateway is on another machine`);
  return cwd;
}

type Place = { readonly cwd: string; readonly env: Record<string, string>; readonly tty: boolean };

async function start(client: ExecClient, args: Arguments, { cwd, env, tty }: Place): Promise<RemoteProcess> {
  const label = args.text('label');
  const { rows, columns: cols } = process.stdout.isTTY ? process.stdout : process.stderr;
  try {
    return await client.processes.start({
      argv: args.words,
      cwd,
      env,
      tty,
      ...(tty && { size: { rows: rows || 24, cols: cols || 80 } }),
      ...(label !== null && { label }),
      ...(args.has('no-record') && { recorded: false }),
    });
  } catch (error) {
    if (!(error instanceof RequestError)) {
      throw new CommandFailed(
        ExitCode.connectionLost,
        `${errorText(error)}; the command may have been started; check with: exec-console ps`,
      );
    }
    const isFolder = error.message.startsWith('folder /');
    const reason = isFolder ? error.message : startRefusalReason(error.message);
    if (reason === null) throw error;
    const code = reason.startsWith(NOT_FOUND) ? ExitCode.commandNotFound : ExitCode.cannotExecute;
    const lines = [errorText(error), ...remedyFor(reason, args.words[0] ?? '')];
    throw new CommandFailed(code, lines.join('\n'), { cause: error });
  }
}

/**
 * Returns one line with the next step when the gateway could not start a program; no line for a reason that already
 * states the step, or for which none is known.
 */
function remedyFor(reason: string, program: string): string[] {
  if (reason.startsWith('folder ')) return ['Choose another working directory with --cwd DIR.'];
  if (reason.startsWith(NOT_FOUND))
    return program.includes('/')
      ? ["Check the path, which must exist on the gateway's machine."]
      : [
          'Check the name, or give the path of the program: the gateway searches the folders of its own PATH.',
        ];
  if (reason === NOT_EXECUTABLE || reason === 'permission denied')
    return [
      'Name a file that may be executed, or the program that runs it, such as: exec-console run -- bash FILE',
    ];
  return [];
}

/**
 * Passes a signal to the process. With a terminal, SIGTERM and SIGHUP send a hangup and end this command; resolves with
 * null when this command continues.
 */
async function passOn(remote: RemoteProcess, signal: EndingSignal, tty: boolean): Promise<Ending | null> {
  const isEnd = tty && (signal === 'SIGTERM' || signal === 'SIGHUP');
  await remote.signal(isEnd ? 'hangup' : PASSED_ON[signal]);
  return isEnd ? { kind: 'signalled', signal } : null;
}

async function codeOf(ending: Ending, remote: RemoteProcess): Promise<number> {
  switch (ending.kind) {
    case 'exited':
      return ending.exitCode;
    case 'detached':
      printNote(`detached, still running; reopen it with: exec-console attach ${remote.key}`);
      return ExitCode.ok;
    case 'signalled':
      return SIGNAL_CODES[ending.signal];
    case 'brokenPipe':
      // A local program would be killed by SIGPIPE at its next write; on the gateway it must be terminated.
      await remote.terminate().catch(() => undefined);
      return ExitCode.brokenPipe;
  }
}
