// Detects whether this command runs inside a process of the gateway, where the real shells must run.
import { findLocalGateway } from '../policy/local-gateway.ts';
import { procStat } from '../host/proc-stat.ts';
import { INSIDE } from './shell-environment.ts';

const GENERATIONS = 64;

/**
 * Returns true when EXEC_CONSOLE_INSIDE is set or the gateway is an ancestor; without Linux's `/proc`, only the parent
 * process is compared with the gateway.
 */
export function isInsideGateway(env: NodeJS.ProcessEnv, stateDir: string): boolean {
  if ((env[INSIDE] ?? '') !== '') return true;
  const gateway = findLocalGateway(stateDir)?.pid;
  if (gateway === undefined) return false;
  let pid = process.ppid;
  for (let generation = 0; generation < GENERATIONS && pid > 1; generation += 1) {
    if (pid === gateway) return true;
    pid = procStat(pid)?.parent ?? 0;
  }
  return false;
}
