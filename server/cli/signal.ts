// exec-console signal: sends one signal to one process.
import type { SignalName } from '../../protocol/console.ts';
import { withGateway } from './connect.ts';
import { ExitCode } from './exit-codes.ts';
import { allProcesses, findProcess } from './find-process.ts';
import { gatewayAddress } from './gateway-address.ts';
import { printJson } from './print.ts';
import type { Subcommand } from './subcommand.ts';
import { UsageError } from './usage-error.ts';

/** The wire's names, and the usual ones. */
const NAMES: Readonly<Record<SignalName, string>> = {
  interrupt: 'INT',
  terminate: 'TERM',
  kill: 'KILL',
  hangup: 'HUP',
  quit: 'QUIT',
  suspend: 'TSTP',
  resume: 'CONT',
};

export const signal: Subcommand = {
  usage: 'signal [flags] KEY SIGNAL',
  summary: 'Send a signal to a process',
  help: `SIGNAL is INT, TERM, KILL, HUP, QUIT, TSTP or CONT, also as SIGINT, or as interrupt, terminate, kill, hangup, quit,
suspend or resume. On a terminal, INT reaches the foreground job, as Ctrl-C does. KEY is a key, the beginning of one, or
a label. The command does not wait for the effect; "exec-console stop" does.`,
  flags: { json: { type: 'boolean', about: 'Print what was sent, as {"key", "signal"}' } },
  examples: ['signal web INT', 'signal HTuNVZ_x HUP'],
  completes: 'process',
  words: 2,
  async execute(args, env) {
    const [name = '', signalWord = ''] = args.words;
    const sent = signalNamed(signalWord);
    return withGateway(gatewayAddress(args, env), async (gateway) => {
      const { key } = findProcess(await allProcesses(gateway), name);
      await gateway.client.connection.request('process/signal', { key, signal: sent });
      if (args.has('json')) await printJson({ key, signal: sent });
      return ExitCode.ok;
    });
  },
};

/** Throws UsageError. */
export function signalNamed(word: string): SignalName {
  const plain = word.toUpperCase().replace(/^SIG/, '');
  const found = (Object.keys(NAMES) as SignalName[]).find(
    (name) => NAMES[name] === plain || name === word.toLowerCase(),
  );
  if (found) return found;
  throw new UsageError(`${word}: expected one of ${Object.values(NAMES).join(', ')}`);
}
