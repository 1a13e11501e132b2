// Terminates processes, and waits until their terminations are complete.
import type { ProcessControl, ProcessView } from './process-view.ts';

/** Time that SIGKILL may take, in ms, before processes that hang in the kernel are abandoned. */
const KILL_MS = 1000;

/** Terminates all processes of a stopping gateway; resolves when they have ended, or KILL_MS after SIGKILL. */
export async function endAll(processes: readonly ProcessControl[], graceMs: number): Promise<void> {
  await Promise.all(
    processes.map(async (process) => {
      const { running } = await process.terminate(graceMs, 'gateway', { how: 'gatewayStopped' });
      if (running) await whenTerminated(process, graceMs + KILL_MS);
    }),
  );
}

/** Resolves when the process has exited and its termination is complete, or `patienceMs` have passed. */
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
