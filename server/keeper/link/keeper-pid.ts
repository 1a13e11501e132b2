// Finds the PID of a keeper without a request to it.
import { readFileSync, realpathSync } from 'node:fs';
import { readRegular } from '../../host/regular-file.ts';
import { lockPath } from '../wire/place.ts';

/** Returns the PID of the running keeper of a state folder; null when there is none, and on systems without /proc. */
export function keeperPid(stateDir: string): number | null {
  try {
    const pid = Number(readRegular(lockPath(stateDir)).toString());
    // A zombie has no command line; another program may have the PID of a keeper that has ended.
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return argv.includes(realpathSync(stateDir)) ? pid : null;
  } catch {
    return null;
  }
}
