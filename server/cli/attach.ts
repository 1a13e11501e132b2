// exec-console attach: shows a running process in this terminal.
import { isatty } from 'node:tty';
import type { ProcessInfo } from '../../protocol/console.ts';
import type { Role } from '../../protocol/session.ts';
import { isLive } from '../../text/process-words.ts';
import { withGateway } from './connect.ts';
import { DEFAULT_DETACH_KEYS, DetachKeys } from './detach-keys.ts';
import { ExitCode, SIGNAL_CODES } from './exit-codes.ts';
import { allProcesses, findProcess } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { printNote } from './notes.ts';
import { PassThrough, type Ending } from './pass-through.ts';
import type { Subcommand } from './subcommand.ts';

export const attach: Subcommand = {
  usage: 'attach [flags] KEY',
  summary: 'Open a running process in this terminal',
  help: `Shows the process's exact screen (or its retained output, if it has no terminal) and continues with it. Typed keys go
to the process. KEY is a key, the beginning of one, or a label.

If the process has a terminal, every key except the detach keys goes to the program. If it has none, Ctrl-C detaches and
leaves the process running, and a typed end of file (Ctrl-D) goes to the process; the end of a pipe or file on stdin
does not.`,
  flags: {
    control: {
      type: 'boolean',
      short: 'c',
      about:
        "Take control: the process gets this terminal's size, and this terminal answers its queries (default: only if a person started it and nobody controls it)",
    },
    watch: { type: 'boolean', short: 'w', about: 'Only watch: send no input and take no control' },
    'detach-keys': {
      type: 'string',
      value: 'KEYS',
      about: `Keys that detach from the process, such as ctrl-p,ctrl-q, or none (default: ${DEFAULT_DETACH_KEYS})`,
    },
  },
  examples: ['attach web', 'attach --watch HTuNVZ_x', 'attach --control --detach-keys ctrl-p,ctrl-q web'],
  exitCodes: [
    ['0', 'The process exited with 0, or you detached'],
    ['…', "Any other code is the process's own; 128 + N if signal N killed it"],
    ['141', 'The reader of stdout has closed it (broken pipe)'],
  ],
  completes: 'process',
  words: 1,
  async execute(args, env) {
    const detachKeys = new DetachKeys(args.text('detach-keys') ?? DEFAULT_DETACH_KEYS);
    args.refuseBoth('control', 'watch');
    return withGateway(gatewayAddress(args, env), async (gateway) => {
      const { client, online } = gateway;
      const info = findProcess(await allProcesses(gateway), args.words[0] ?? '');
      const isLooking = args.has('watch') || !mayType(online.role) || !isLive(info);
      const remote = client.processes.attach(info.key);
      const isControlled = args.has('control') || (!isLooking && isFree(info));
      if (isControlled) await remote.control(true);
      const passThrough = new PassThrough({
        gateway,
        remote,
        tty: info.tty,
        input: isLooking ? 'detachKeysOnly' : 'all',
        passesEnd: isatty(0),
        detachKeys,
        hasScreen: true,
        early: null,
        onSignal: (signal) => Promise.resolve({ kind: 'signalled', signal }),
      });
      return codeOf(await passThrough.run(), info, isControlled);
    });
  },
};

const mayType = (role: Role): boolean => role === 'operator' || role === 'admin';

/** Returns true when attaching takes control by default: a person started the process, and nobody controls it. */
const isFree = ({ session, controller }: ProcessInfo): boolean =>
  session === 'console' && controller === null;

function codeOf(ending: Ending, { key, size }: ProcessInfo, isControlled: boolean): number {
  if (ending.kind === 'exited') return ending.exitCode;
  if (ending.kind === 'brokenPipe') return ExitCode.brokenPipe;
  printNote(`detached, still running; reopen it with: exec-console attach ${key}`);
  const { rows, columns } = process.stdout;
  if (size && !isControlled && process.stdout.isTTY && (size.rows !== rows || size.cols !== columns)) {
    printNote(
      `the terminal of the process is ${size.cols}×${size.rows}, this one ${columns}×${rows}; --control gives the process this size`,
    );
  }
  return ending.kind === 'detached' ? ExitCode.ok : SIGNAL_CODES[ending.signal];
}
