// Settings for running the tests on gateways with a keeper (EXEC_CONSOLE_TEST_KEEPER=on), which takes several
// times as long.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeeperHome, type KeeperHomeLimits } from '../adoption/keeper-home.ts';
import { keeperPid } from '../keeper/link/keeper-pid.ts';

export const TESTS_HAVE_KEEPER = process.env['EXEC_CONSOLE_TEST_KEEPER'] === 'on';

/** Flags of gateways whose processes end with them, for tests of what is then lost. */
export const WITHOUT_KEEPER = ['--keeper', 'off'] as const;

/** Returns the keeper flags for a gateway in the test's program; none if the test has chosen them. */
export const keeperFlags = (flags: readonly string[]): readonly string[] =>
  flags.includes('--keeper') ? [] : ['--keeper', TESTS_HAVE_KEEPER ? 'on' : 'off'];

/** Returns the PID of the program that starts the processes of a gateway. */
export const starterOf = (gateway: number, stateDir: string): number => keeperPid(stateDir) ?? gateway;

/** Returns a KeeperHome for a gateway in the test's program; null when its processes run in that program. */
export function homeOfTest(limits: KeeperHomeLimits): KeeperHome | null {
  if (!TESTS_HAVE_KEEPER) return null;
  const stateDir = mkdtempSync(join(tmpdir(), 'exec-console-keeper-'));
  const events = {
    displaced: () => {},
    trouble: () => {},
    unnoted: () => {},
    notUpgraded: () => {},
    withoutKeeper: () => {},
  };
  return new KeeperHome(stateDir, limits, events, 'refused');
}
