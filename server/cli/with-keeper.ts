// Decides at the start of a gateway whether its processes run in a keeper.
import { StateFolderRefused } from '../host/state-folder-refused.ts';
import { findOrStartKeeper } from '../keeper/link/keeper-start.ts';
import type { Log } from '../ops/log.ts';
import { openStateDir } from '../policy/state-dir.ts';
import type { Options } from './options.ts';

/**
 * Starts a keeper unless one is running or the options turn it off. Resolves with the options; when no keeper can run
 * and none is required, the keeper is off in them. Rejects with a reason for people when the gateway must not start.
 */
export async function withKeeper(options: Options, log: Log): Promise<Options> {
  if (options.keeper === 'off') return options;
  try {
    const socket = await findOrStartKeeper(openStateDir(options.stateDir));
    socket.destroy();
    return options;
  } catch (error) {
    if (error instanceof StateFolderRefused) throw error;
    const { message: reason } = error as Error;
    if (options.keeper === 'on') throw new Error(`no keeper can be started: ${reason}`, { cause: error });
    log(
      'warn',
      `Processes run in this gateway and end with it, because no keeper can be started: ${reason}`,
      { event: 'noKeeper', reason },
    );
    return { ...options, keeper: 'off' };
  }
}
