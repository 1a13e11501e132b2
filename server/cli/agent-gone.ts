// The agent that has started a shell: some agents end without ending their commands.
import { procStat } from '../host/proc-stat.ts';

const LOOK_MS = 1000;
/** Most generations of shells between a command and its agent. */
const GENERATIONS = 8;
/** Names, as the kernel has them, of what an agent puts between itself and its commands. */
const SHELLS = /^(ba|da|z|k|a|fi)?sh$/;

/**
 * Calls `gone` once when the nearest ancestor that is no shell has ended, until the returned function is called. It is
 * never called where the system does not list processes as Linux does.
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

/** Null for a command without such an ancestor: what has left its agent before goes on without it. */
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
