// Detection of a command that runs inside a process of the gateway, where a shell is the real one.
import { findLocalGateway } from '../policy/local-gateway.ts';
import { procStat } from '../host/proc-stat.ts';
import { INSIDE } from './shell-environment.ts';

/** Most generations that are looked at. */
const GENERATIONS = 64;

/** Reads on Linux also who has started this command; elsewhere only its environment. */
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
