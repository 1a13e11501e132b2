// exec-console keep: runs a gateway with a keeper and restarts it when it crashes, for systemd units and containers.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { countedText } from '../../text/amounts.ts';
import { reapOrphans } from '../host/orphans.ts';
import { findLocalGateway } from '../policy/local-gateway.ts';
import { askKeeper } from '../keeper/link/ask-keeper.ts';
import { ExitCode } from './exit-codes.ts';
import { keeperFlag } from './keeper-flags.ts';
import { printNote } from './notes.ts';
import { FLAG_GROUPS, parseCommand } from './options.ts';
import { ownProgram } from './own-program.ts';
import { ownVersion } from './own-version.ts';
import { print } from './print.ts';
import { SAME_PORT } from './same-port.ts';
import type { Subcommand } from './subcommand.ts';
import { ENDS, supervised } from './supervised.ts';
import type { FlagSpecs } from './arguments.ts';
import { UsageError } from './usage-error.ts';

const PASSED_ON = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

export const keep: Subcommand = {
  usage: 'keep [flags of the gateway]',
  summary: 'Run a gateway with a keeper, and restart it when it crashes',
  help: `For a systemd unit or a container. It takes the flags of the gateway and adds --keeper on. A gateway that
crashes is restarted on the same port, after a delay that grows from 0.2 to 10 seconds; after ten crashes in a row
it is not restarted. SIGTERM and Ctrl-C end everything; SIGHUP and "exec-console restart" replace only the gateway.`,
  flags: {
    ...(Object.assign({}, ...Object.values(FLAG_GROUPS)) as FlagSpecs),
    keeper: keeperFlag('on'),
  },
  examples: ['keep --port 7420', 'keep --state-dir /srv/console --keep 1h'],
  exitCodes: [
    ['0', 'Stopped by a signal'],
    ['1', 'The gateway could not start, or it crashed too often'],
  ],
  isLocal: true,
  words: 0,
  async execute(args, env, argv) {
    const asked = parseCommand(argv, env);
    if (asked.kind === 'version') {
      await print(ownVersion());
      return ExitCode.ok;
    }
    if (asked.kind !== 'serve')
      throw new UsageError('keep needs a gateway with a port, not --listen stdio://');
    if (args.text('keeper') === 'off')
      throw new UsageError('keep --keeper off: this command always runs a keeper; omit the flag');
    const flags = args.text('keeper') !== null ? argv : [...argv, '--keeper', 'on'];
    const stopReaping = reapOrphans(() => running?.pid);
    let running: ChildProcess | null = null;
    let port: string | null = null;
    let isStopping = false;
    const stopping = new AbortController();
    for (const signal of PASSED_ON)
      process.on(signal, () => {
        isStopping ||= ENDS.includes(signal);
        running?.kill(signal);
        if (isStopping) stopping.abort();
      });
    const { stateDir } = asked.options;
    const code = await supervised({
      run: async () => {
        running = started(flags, port);
        const [code, signal] = (await once(running, 'exit')) as [number | null, NodeJS.Signals | null];
        const there = findLocalGateway(stateDir);
        const wasReady = there?.pid === running.pid;
        // The next gateway uses the same port, even one that was chosen at random.
        if (there && wasReady) port = new URL(there.url).port;
        return { code, signal, wasReady };
      },
      wait: (ms) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined),
      isStopping: () => isStopping,
      now: () => performance.now(),
      report: printNote,
    });
    stopReaping();
    const left = await askKeeper(stateDir);
    if (left && left.processes.length > 0)
      printNote(
        `still running in the keeper: ${countedText(left.processes.length, 'process', 'processes')}; list them with: exec-console keeper status`,
      );
    return code;
  },
};

function started(flags: readonly string[], port: string | null): ChildProcess {
  const [file = '', ...program] = ownProgram();
  return spawn(file, [...process.execArgv, ...program, ...flags], {
    stdio: 'inherit',
    env: { ...process.env, ...(port !== null && { [SAME_PORT]: port }) },
  });
}
