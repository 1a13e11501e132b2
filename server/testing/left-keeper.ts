// The keeper of a test's gateway, which must end with it.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockPath } from '../keeper/wire/place.ts';

/** Longer than a keeper keeps running without a gateway and without processes. */
const MOST_MS = 15_000;

/** Returns the pid of the running keeper of a state folder; null when there is none. */
export function keeperPid(stateDir: string): number | null {
  try {
    const pid = Number(readFileSync(lockPath(stateDir), 'utf8'));
    // A zombie has no command line; another program may have got the pid of a keeper that has ended.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(stateDir) ? pid : null;
  } catch {
    return null;
  }
}

/** Resolves when the state folder has no keeper; kills one that stays, and rejects. */
export async function noKeeperLeft(stateDir: string): Promise<void> {
  const givesUpAtMs = performance.now() + MOST_MS;
  // The connection of the keeper closes shortly before the keeper itself ends.
  for (let pid = keeperPid(stateDir); pid !== null; pid = keeperPid(stateDir)) {
    if (performance.now() > givesUpAtMs) {
      process.kill(pid, 'SIGKILL');
      throw new Error(`keeper ${pid} of ${stateDir} was left`);
    }
    await sleep(20);
  }
}
