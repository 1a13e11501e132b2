// Replaces the gateway by running the same command in the same process; the new gateway takes over the running
// processes.
import { closeSync, openSync } from 'node:fs';
import { SAME_PORT } from './cli/same-port.ts';
import { exec } from './host/exec.ts';
import type { Server } from './server.ts';

export interface Replace {
  /** Signals that request a replacement. */
  readonly signals: readonly NodeJS.Signals[];
  /**
   * Runs the new gateway in this process, and so never resolves. Rejects when it cannot be started; the
   * processes then stay in the keeper until a gateway is started.
   */
  readonly by: () => Promise<void>;
}

/** Returns the signals and the function for a replacement; the new gateway listens on the current `port`, too. */
export function replacing(server: Server, port: number): Replace {
  // A closing terminal also sends SIGHUP; everything must end then, as on Ctrl-C.
  const signals: NodeJS.Signals[] = hasTerminal() ? ['SIGUSR2'] : ['SIGUSR2', 'SIGHUP'];
  const by = async (): Promise<void> => {
    await server.leave();
    const [main = '', ...flags] = process.argv.slice(1);
    const argv = [process.execPath, ...process.execArgv, main, ...flags];
    throw exec(process.execPath, argv, { ...process.env, [SAME_PORT]: String(port) });
  };
  return { signals, by };
}

/** Returns true when this process has a controlling terminal. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
