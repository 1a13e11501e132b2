// Waiting for the end of a terminate.
import type { ProcessControl, ProcessView } from './process-view.ts';

/** Time in ms that SIGKILL may take before a process that cannot even die is left behind. */
const KILL_MS = 1000;

/** Terminates all because the gateway stops; resolves when nothing is left, or the grace and what follows it are over. */
export async function endAll(processes: readonly ProcessControl[], graceMs: number): Promise<void> {
  await Promise.all(
    processes.map(async (process) => {
      const { running } = await process.terminate(graceMs, 'gateway', { how: 'gatewayStopped' });
      if (running) await whenTerminated(process, graceMs + KILL_MS);
    }),
  );
}

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
