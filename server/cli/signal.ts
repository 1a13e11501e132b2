// exec-console signal: sends one signal to one process.
import { SIGNAL_NAMES, SIGNALS, type SignalName } from '../../protocol/signals.ts';
import { withGateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { allProcesses, findProcess } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { printNote } from './notes.ts';
import { printJson } from './print.ts';
import { isGone } from './stop.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

const shortName = (name: SignalName): string => SIGNALS[name].osName.slice('SIG'.length);
const SHORT_NAMES = SIGNAL_NAMES.map(shortName);

export const signal: Subcommand = {
  usage: 'signal [flags] KEY SIGNAL',
  summary: 'Send a signal to a process',
  help: `SIGNAL is one of ${SHORT_NAMES.join(', ')} (SIGINT works too), or one of ${SIGNAL_NAMES.join(', ')}.
On a terminal, INT reaches the foreground job, as Ctrl-C does. KEY is a key, the beginning of one, or
a label. The command does not wait until the process has ended; "exec-console stop" does. If the process has already
ended, the command reports that and exits with 0.`,
  flags: {
    json: {
      type: 'boolean',
      about: 'Print {"key", "signal", "running"}; running: false if the process had already ended',
    },
  },
  examples: ['signal web INT', 'signal HTuNVZ_x HUP'],
  completes: 'process',
  completesSecond: SHORT_NAMES,
  words: 2,
  async execute(args, env) {
    const [name = '', signalWord = ''] = args.words;
    const sent = signalNamed(signalWord);
    return withGateway(gatewayAddress(args, env), async (gateway) => {
      const info = findProcess(await allProcesses(gateway), name);
      const { key } = info;
      const running = !isGone(info);
      if (running) await gateway.client.connection.request('process/signal', { key, signal: sent });
      if (args.has('json')) await printJson({ key, signal: sent, running });
      else if (!running) printNote('the process had already ended, so no signal was sent');
      return ExitCode.ok;
    });
  },
};

/** Returns the signal with this name. Throws UsageError. */
export function signalNamed(word: string): SignalName {
  const plain = word.toUpperCase().replace(/^SIG/, '');
  const found = SIGNAL_NAMES.find((name) => shortName(name) === plain || name === word.toLowerCase());
  if (found) return found;
  throw new UsageError(`signal ${word}: expected one of ${SHORT_NAMES.join(', ')}`);
}
