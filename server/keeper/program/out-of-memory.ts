// The order in which the kernel ends programs when memory has run out.
import { writeFileSync } from 'node:fs';

/** Score of what runs in the keeper, which ends before the keeper itself: with that, all would end. */
const OOM_SCORE = 300;

export function preferAtOutOfMemory(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(OOM_SCORE));
  } catch {
    // It has ended already, or has a higher one.
  }
}
