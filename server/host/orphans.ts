// Reaps orphaned processes, which the first program of a container inherits and which would otherwise stay as zombies.
import { readFileSync } from 'node:fs';
import { libc } from './libc.ts';

const WNOHANG = 1;
/** Interval between searches for orphans. */
const LOOK_MS = 1000;
const FIRST_PID = 1;

/**
 * Reaps all children except `own`, which Node reaps, at regular intervals; does nothing except as PID 1 on Linux.
 * Returns a function that stops the reaping.
 */
export function reapOrphans(own: () => number | undefined): () => void {
  if (process.pid !== FIRST_PID || process.platform !== 'linux') return () => {};
  const timer = setInterval(() => reapBut(own()), LOOK_MS);
  return () => clearInterval(timer);
}

function reapBut(own: number | undefined): void {
  const status = new Int32Array(1);
  for (const pid of children()) if (pid !== own) libc.waitpid(pid, status, WNOHANG);
}

function children(): readonly number[] {
  try {
    const text = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    // Some kernels do not list children.
    return [];
  }
}
