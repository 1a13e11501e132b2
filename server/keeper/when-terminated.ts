// Waiting for the end of a terminate.
import type { ProcessView } from './process-view.ts';

/** Resolves when nothing is left of what a terminate is ending, or when `patienceMs` are over. */
export function whenTerminated(process: ProcessView, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(finish, patienceMs);
    const check = (): void => {
      if (process.exit && process.termination === null) finish();
    };
    const unsubscribe = process.onChange(check);
    check();
  });
}
