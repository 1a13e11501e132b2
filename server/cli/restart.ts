// exec-console restart: replaces the running gateway with a new one, while the processes keep running in the keeper.
import { setTimeout as sleep } from 'node:timers/promises';
import { findLocalGateway } from '../policy/local-gateway.ts';
import { askKeeper } from '../keeper/link/ask-keeper.ts';
import { GATEWAY_FLAGS } from './arguments.ts';
import { CommandFailed, ExitCode } from './exit-codes.ts';
import { isRunning } from './gateway-address.ts';
import { print } from './print.ts';
import { startCommand, stateDirOf } from './state-folder.ts';
import type { Subcommand } from './subcommand.ts';

/** Time limit for the start of the new gateway, and interval between checks. */
const START_MS = 30_000;
const LOOK_MS = 50;

export const restart: Subcommand = {
  usage: 'restart [flags]',
  summary: 'Restart the gateway, and keep its processes running',
  help: `Restarts the gateway with the same flags, for example after an upgrade. Pages and agents reconnect
automatically. The gateway must not have been started with --keeper off.`,
  flags: { 'state-dir': GATEWAY_FLAGS['state-dir'] },
  examples: ['restart'],
  exitCodes: [['3', 'No gateway is running']],
  isLocal: true,
  words: 0,
  async execute(args, env) {
    const stateDir = stateDirOf(args.text('state-dir'), env);
    const before = findLocalGateway(stateDir);
    if (!before || !isRunning(before.pid))
      throw new CommandFailed(
        ExitCode.noGateway,
        `no gateway is running with the state folder ${stateDir}, so nothing was restarted; start one with: ${startCommand(args.text('state-dir'))}`,
      );
    const keeper = await askKeeper(stateDir);
    if (keeper?.gatewayPid !== before.pid)
      throw new CommandFailed(
        ExitCode.failed,
        'the gateway has no keeper, so it was not restarted; stop it, and start it without --keeper off',
      );
    process.kill(before.pid, 'SIGUSR2');
    const givesUpAtMs = performance.now() + START_MS;
    while (performance.now() < givesUpAtMs) {
      await sleep(LOOK_MS);
      const now = findLocalGateway(stateDir);
      if (!now || now.announcedAtMs === before.announcedAtMs) continue;
      await print(`The gateway was restarted: ${now.url}`);
      return ExitCode.ok;
    }
    throw new CommandFailed(
      ExitCode.failed,
      'the new gateway has not started in time; see its log. The processes are still running in the keeper',
    );
  },
};
