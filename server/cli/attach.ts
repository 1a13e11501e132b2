// exec-console attach: a process that runs, on this terminal.
import { isatty } from 'node:tty';
import type { ProcessInfo } from '../../protocol/console.ts';
import type { Role } from '../../protocol/session.ts';
import { isLive } from '../../text/process-words.ts';
import { withGateway } from './connect.ts';
import { DEFAULT_DETACH_KEYS, DetachKeys } from './detach-keys.ts';
import { ExitCode, SIGNAL_CODES } from './exit-codes.ts';
import { allProcesses, findProcess } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { say } from './notes.ts';
import { PassThrough, type Ending } from './pass-through.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

export const attach: Subcommand = {
  usage: 'attach [flags] KEY',
  summary: 'come to a process that runs: see it, type into it, leave it again',
  help: `Shows the process's exact screen, or without a terminal of its own the output that is kept, and goes on with it. What
is typed goes to the process. KEY is a key, the beginning of one, or a label.

  --control, -c        make this terminal the one whose size the process has and that answers it. By default that
                       is so for what people have started, as long as nobody else has it; looking at an agent's
                       process changes nothing about it
  --watch, -w          only look: type nothing, control nothing. Tokens that may only look do that anyway
  --detach-keys KEYS   what leaves it running (default ctrl-\\; for example ctrl-p,ctrl-q, or none)

With a terminal every key but the detach keys goes to the program. Without one Ctrl-C leaves, and leaves it running, and
an end of file typed here (Ctrl-D) is its, too; the end of a pipe or a file is not. Exits with 0 after
the detach keys, and with the process's own code when it ends.`,
  flags: {
    control: { type: 'boolean', short: 'c' },
    watch: { type: 'boolean', short: 'w' },
    'detach-keys': { type: 'string' },
  },
  words: 1,
  async execute(args, env) {
    const detachKeys = new DetachKeys(args.text('detach-keys') ?? DEFAULT_DETACH_KEYS);
    if (args.has('control') && args.has('watch')) {
      throw new UsageError('give either --control or --watch, not both');
    }
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

/** An agent's process keeps its size until somebody says otherwise. */
const isFree = ({ session, controller }: ProcessInfo): boolean =>
  session === 'console' && controller === null;

function codeOf(ending: Ending, { key, size }: ProcessInfo, isControlled: boolean): number {
  if (ending.kind === 'exited') return ending.exitCode;
  if (ending.kind === 'brokenPipe') return ExitCode.brokenPipe;
  say(`it runs on; come back to it with: exec-console attach ${key}`);
  const { rows, columns } = process.stdout;
  if (size && !isControlled && process.stdout.isTTY && (size.rows !== rows || size.cols !== columns)) {
    say(
      `its terminal has ${size.cols}×${size.rows}, this one ${columns}×${rows}: --control gives it this size`,
    );
  }
  return ending.kind === 'detached' ? ExitCode.ok : SIGNAL_CODES[ending.signal];
}
