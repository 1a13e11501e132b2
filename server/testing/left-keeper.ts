// Checks that the keeper of a test's gateway has ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { keeperPid } from '../keeper/link/keeper-pid.ts';

/** Time longer than a keeper runs without a gateway and without processes. */
const MOST_MS = 15_000;

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
