// Detects the end of the agent that started a shell, since some agents exit without ending their commands.
import { procStat } from '../host/proc-stat.ts';

const LOOK_MS = 1000;
/** Maximum number of ancestors that are searched for the agent. */
const GENERATIONS = 8;
/** Shells that an agent starts between itself and its commands, by their names in `/proc`. */
const SHELLS = /^(ba|da|z|k|a|fi)?sh$/;

/**
 * Calls `gone` once the nearest ancestor that is not a shell has exited. Returns a function that ends the checks.
 * Does nothing when no such ancestor is found, for example without Linux's `/proc`.
 */
export function onAgentGone(gone: () => void): () => void {
  const agent = nearestProgram();
  if (agent === null) return () => undefined;
  const timer = setInterval(() => {
    const now = procStat(agent.pid);
    if (now?.startTime === agent.startTime && !now.hasEnded) return;
    clearInterval(timer);
    gone();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns the nearest ancestor that is not a shell; null when none is found among GENERATIONS ancestors. */
function nearestProgram(): { readonly pid: number; readonly startTime: number } | null {
  let pid = process.ppid;
  for (let generation = 0; generation < GENERATIONS && pid > 1; generation += 1) {
    const found = procStat(pid);
    if (!found) return null;
    if (!SHELLS.test(found.name)) return found;
    pid = found.parent;
  }
  return null;
}
