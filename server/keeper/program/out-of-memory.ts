// Makes the kernel's out-of-memory killer choose processes in the keeper before the keeper itself.
import { writeFileSync } from 'node:fs';

/** oom_score_adj of processes in the keeper. */
const OOM_SCORE = 300;

export function preferAtOutOfMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(OOM_SCORE));
  } catch {
    // The process has ended, its score is higher and cannot be lowered, or the system has no /proc.
  }
}
