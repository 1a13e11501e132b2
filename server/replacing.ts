// The gateway's replacement by another one, which goes on with the same processes: the same command, in the same process.
import { closeSync, openSync } from 'node:fs';
import { SAME_PORT } from './cli/same-port.ts';
import { exec } from './host/exec.ts';
import type { Server } from './server.ts';

export interface Replace {
  /** The signals that ask for it. */
  readonly signals: readonly NodeJS.Signals[];
  /** Resolves only when the other gateway cannot be started; the processes then wait for one in the keeper. */
  readonly by: () => Promise<void>;
}

/** `port`: the one that it listens on, which the next gateway gets, too. */
export function replacing(server: Server, port: number): Replace {
  // The end of a terminal is a SIGHUP, too, and then all is to end as it does on a Ctrl-C.
  const signals: NodeJS.Signals[] = hasTerminal() ? ['SIGUSR2'] : ['SIGUSR2', 'SIGHUP'];
  const by = async (): Promise<void> => {
    await server.leave();
    const [main = '', ...flags] = process.argv.slice(1);
    const argv = [process.execPath, ...process.execArgv, main, ...flags];
    throw exec(process.execPath, argv, { ...process.env, [SAME_PORT]: String(port) });
  };
  return { signals, by };
}

/** True when a terminal controls this process. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
