// Processes whose parents have ended, as the first program of a container gets them: without a wait they stay as zombies.
import { readFileSync } from 'node:fs';
import { libc } from './libc.ts';

const WNOHANG = 1;
/** Interval of looks. */
const LOOK_MS = 1000;
const FIRST_PID = 1;

/** Waits for all children but `own`, whose end Node waits for, where this is the first program. Returns its own undo. */
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
    // A kernel that does not list them.
    return [];
  }
}
